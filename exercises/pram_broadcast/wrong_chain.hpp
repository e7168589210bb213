// From neighbour to neighbour: n steps. Expected: WRONG cost.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  pram.step("first", 1, [&](auto& p) { p.write(out, 0, p.read(in, 0)); });
  for (std::int64_t i = 1; i < out.size(); ++i) {
    pram.step("next", 1, [&](auto& p) { p.write(out, i, p.read(out, i - 1)); });
  }
}
