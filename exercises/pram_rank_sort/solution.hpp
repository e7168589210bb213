inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  const auto rank = pram.array(n, "rank");
  pram.step("clear", n, [&](auto& p) { p.write(rank, p.id(), 0); });
  pram.step("compare all pairs", n * n, [&](auto& p) {
    const std::int64_t i = p.id() / n;
    const std::int64_t j = p.id() % n;
    const std::int64_t own = p.read(in, i);
    const std::int64_t other = p.read(in, j);
    if (other < own || (other == own && j < i)) p.write(rank, i, 1);
  });
  pram.step("to their ranks", n,
            [&](auto& p) { p.write(out, p.read(rank, p.id()), p.read(in, p.id())); });
}
