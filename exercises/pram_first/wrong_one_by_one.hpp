// One processor: n steps. Expected: WRONG cost.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  std::int64_t first = in.size();
  for (std::int64_t i = in.size() - 1; i >= 0; --i) {
    pram.step("next", 1, [&](auto& p) {
      if (p.read(in, i) != 0) first = i;
      if (i == 0) p.write(out, 0, first);
    });
  }
}
