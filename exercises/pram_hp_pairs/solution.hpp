inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  pram.step("clear", n, [&](auto& p) { p.write(out, p.id(), 0); });
  pram.step("count", n * n, [&](auto& p) {
    const std::int64_t v = p.id() / n;
    const std::int64_t i = p.id() % n;
    if (p.read(in, v) <= i) p.write(out, i, 1);
  });
}
