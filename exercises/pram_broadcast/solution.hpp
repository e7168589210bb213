inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = out.size();
  pram.step("first", 1, [&](auto& p) { p.write(out, 0, p.read(in, 0)); });
  for (std::int64_t have = 1; have < n; have *= 2) {
    pram.step("double", std::min(have, n - have),
              [&](auto& p) { p.write(out, have + p.id(), p.read(out, p.id())); });
  }
}
