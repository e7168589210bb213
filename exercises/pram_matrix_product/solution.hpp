inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  std::int64_t m = 1;
  while (2 * m * m < in.size()) ++m;
  std::vector<std::int64_t> sum(static_cast<std::size_t>(m * m), 0);
  for (std::int64_t t = 0; t < m; ++t) {
    pram.step("add a product", m * m, [&](auto& p) {
      const std::int64_t i = p.id() / m;
      const std::int64_t j = p.id() % m;
      const std::int64_t k = (i + j + t) % m;
      auto& own = sum[static_cast<std::size_t>(p.id())];
      own += p.read(in, i * m + k) * p.read(in, m * m + k * m + j);
      if (t == m - 1) p.write(out, p.id(), own);
    });
  }
}
