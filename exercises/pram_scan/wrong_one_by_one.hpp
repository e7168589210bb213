// One processor: n steps. Expected: WRONG cost.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < in.size(); ++i) {
    pram.step("next", 1, [&](auto& p) {
      sum += p.read(in, i);
      p.write(out, i, sum);
    });
  }
}
