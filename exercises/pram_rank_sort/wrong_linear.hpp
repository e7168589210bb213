// A processor for each number: n + 1 steps. Expected: WRONG cost.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  std::vector<std::int64_t> rank(static_cast<std::size_t>(n), 0);
  for (std::int64_t j = 0; j < n; ++j) {
    pram.step("compare", n, [&](auto& p) {
      const std::int64_t own = p.read(in, p.id());
      const std::int64_t other = p.read(in, j);
      rank[static_cast<std::size_t>(p.id())] += other < own || (other == own && j < p.id());
    });
  }
  pram.step("to their ranks", n, [&](auto& p) {
    p.write(out, rank[static_cast<std::size_t>(p.id())], p.read(in, p.id()));
  });
}
