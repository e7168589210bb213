inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  pram.step("all pairs", n * n, [&](auto& p) {
    const std::int64_t i = p.id() / n;
    const std::int64_t j = p.id() % n;
    if (i <= j) p.write(out, j, p.read(in, i));
  });
}
