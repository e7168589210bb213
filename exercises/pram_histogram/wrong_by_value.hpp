// A processor for every value looks at all numbers: n steps. Expected: WRONG cost.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  std::vector<std::int64_t> count(8, 0);
  for (std::int64_t i = 0; i < in.size(); ++i) {
    pram.step("look", 8, [&](auto& p) {
      count[p.id()] += p.read(in, i) % 8 == p.id();
      if (i == in.size() - 1) p.write(out, p.id(), count[p.id()]);
    });
  }
}
