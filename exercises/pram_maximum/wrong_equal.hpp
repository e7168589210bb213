// Every number is marked by itself, and nobody is left to write. Expected: WRONG legality.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  const auto smaller = pram.array(n, "smaller");
  pram.step("none is", n, [&](auto& p) { p.write(smaller, p.id(), 0); });
  pram.step("compare all pairs", n * n, [&](auto& p) {
    const std::int64_t i = p.id() / n;
    if (p.read(in, i) <= p.read(in, p.id() % n)) p.write(smaller, i, 1);
  });
  pram.step("the largest", n, [&](auto& p) {
    if (p.read(smaller, p.id()) == 0) p.write(out, 0, p.read(in, p.id()));
  });
}
