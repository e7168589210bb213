// Equal numbers go to one place. Expected: WRONG legality.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  const std::int64_t na = n - n / 2;
  std::vector<std::int64_t> own(static_cast<std::size_t>(n)), rank(own.size(), 0);
  std::vector<std::int64_t> most(own.size());
  for (std::int64_t i = 0; i < n; ++i) most[static_cast<std::size_t>(i)] = i < na ? n - na : na;
  pram.step("read", n,
            [&](auto& p) { own[static_cast<std::size_t>(p.id())] = p.read(in, p.id()); });
  for (std::int64_t left = na; left > 0; left /= 2) {
    pram.step("search", n, [&](auto& p) {
      const auto self = static_cast<std::size_t>(p.id());
      if (rank[self] == most[self]) return;
      const std::int64_t middle = (rank[self] + most[self]) / 2;
      const bool of_a = p.id() < na;
      const std::int64_t other = p.read(in, (of_a ? na : 0) + middle);
      const bool before = other < own[self];
      (before ? rank[self] : most[self]) = before ? middle + 1 : middle;
    });
  }
  pram.step("write", n, [&](auto& p) {
    const auto self = static_cast<std::size_t>(p.id());
    p.write(out, p.id() - (p.id() < na ? 0 : na) + rank[self], own[self]);
  });
}
