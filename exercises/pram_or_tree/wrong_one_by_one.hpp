// One processor: n steps. Expected: WRONG cost.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  std::int64_t some = 0;
  for (std::int64_t i = 0; i < in.size(); ++i) {
    pram.step("next", 1, [&](auto& p) {
      some |= p.read(in, i) != 0;
      if (i == in.size() - 1) p.write(out, 0, some);
    });
  }
}
