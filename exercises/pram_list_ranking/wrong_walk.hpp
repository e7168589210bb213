// One processor walks along the list from every node it finds last. Expected: WRONG cost.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  std::vector<std::int64_t> before(static_cast<std::size_t>(n), -1);
  std::int64_t node = -1;
  for (std::int64_t i = 0; i < n; ++i) {
    pram.step("turn around", 1, [&](auto& p) {
      const std::int64_t next = p.read(in, i);
      (next == -1 ? node : before[static_cast<std::size_t>(next)]) = i;
    });
  }
  for (std::int64_t rank = 0; rank < n; ++rank) {
    pram.step("walk", 1, [&](auto& p) { p.write(out, node, rank); });
    node = before[static_cast<std::size_t>(node)];
  }
}
