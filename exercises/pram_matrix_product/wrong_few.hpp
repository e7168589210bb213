// A processor for every row: m^2 steps. Expected: WRONG cost.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  std::int64_t m = 1;
  while (2 * m * m < in.size()) ++m;
  std::vector<std::int64_t> sum(static_cast<std::size_t>(m));
  for (std::int64_t s = 0; s < m * m; ++s) {
    pram.step("add a product", m, [&](auto& p) {
      const std::int64_t i = p.id();
      const std::int64_t j = (s / m + i) % m;
      const std::int64_t k = s % m;
      auto& own = sum[static_cast<std::size_t>(i)];
      if (k == 0) own = 0;
      own += p.read(in, i * m + k) * p.read(in, m * m + k * m + j);
      if (k == m - 1) p.write(out, i * m + j, own);
    });
  }
}
