inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const auto all = pram.array(1, "all");
  pram.step("sum", in.size(), [&](auto& p) { p.write(all, 0, p.read(in, p.id())); });
  std::int64_t mp = 0, load = 0;
  for (std::int64_t r = 0; r < in.size(); ++r) {
    pram.step("next", 1, [&](auto& p) {
      const std::int64_t keys = p.read(in, r);
      if (load > 0 && 2 * (load + keys) >= p.read(all, 0)) {
        ++mp;
        load = 0;
      }
      load += keys;
      p.write(out, r, mp);
    });
  }
}
