// One processor: n steps. Expected: WRONG cost.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  for (std::int64_t i = 0; i < in.size(); ++i) {
    pram.step("next", 1, [&](auto& p) { p.write(out, in.size() - 1 - i, p.read(in, i)); });
  }
}
