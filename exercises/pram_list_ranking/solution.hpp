inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  std::vector<std::int64_t> next(static_cast<std::size_t>(n)), rank(next.size());
  pram.step("first link", n, [&](auto& p) {
    const auto self = static_cast<std::size_t>(p.id());
    next[self] = p.read(in, p.id());
    rank[self] = next[self] != -1;
    p.write(out, p.id(), rank[self]);
  });
  for (std::int64_t reach = 1; reach < n; reach *= 2) {
    pram.step("add", n, [&](auto& p) {
      const auto self = static_cast<std::size_t>(p.id());
      if (next[self] == -1) return;
      rank[self] += p.read(out, next[self]);
      p.write(out, p.id(), rank[self]);
    });
    pram.step("double", n, [&](auto& p) {
      const auto self = static_cast<std::size_t>(p.id());
      if (next[self] == -1) return;
      next[self] = p.read(in, next[self]);
      p.write(in, p.id(), next[self]);
    });
  }
}
