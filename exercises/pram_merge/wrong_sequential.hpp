// One processor: n steps. Expected: WRONG cost.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  const std::int64_t na = n - n / 2;
  std::int64_t i = 0;
  std::int64_t j = na;
  for (std::int64_t k = 0; k < n; ++k) {
    pram.step("next", 1, [&](auto& p) {
      const std::int64_t a = i < na ? p.read(in, i) : 0;
      const std::int64_t b = j < n ? p.read(in, j) : 0;
      const bool takes_a = i < na && (j == n || a <= b);
      p.write(out, k, takes_a ? a : b);
      ++(takes_a ? i : j);
    });
  }
}
