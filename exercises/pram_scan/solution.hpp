// The sum so far stays in a register: only the cell d before is read.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  std::vector<std::int64_t> sum(static_cast<std::size_t>(n));
  pram.step("copy", n, [&](auto& p) {
    sum[static_cast<std::size_t>(p.id())] = p.read(in, p.id());
    p.write(out, p.id(), sum[static_cast<std::size_t>(p.id())]);
  });
  for (std::int64_t d = 1; d < n; d *= 2) {
    pram.step("add", n, [&](auto& p) {
      if (p.id() < d) return;
      std::int64_t& own = sum[static_cast<std::size_t>(p.id())];
      own += p.read(out, p.id() - d);
      p.write(out, p.id(), own);
    });
  }
}
