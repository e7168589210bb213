inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  const auto place = pram.array(n, "A01p");
  pram.step("clear out, sum A01", n * n + n, [&](auto& p) {
    const std::int64_t i = p.id() / n;
    const std::int64_t j = p.id() % n;
    if (i == n) {
      p.write(out, j, 0);
    } else if (i <= j) {
      p.write(place, j, p.read(in, i) > 0);
    }
  });
  pram.step("compress", n, [&](auto& p) {
    if (p.read(in, p.id()) > 0) p.write(out, p.read(place, p.id()) - 1, p.id() + 1);
  });
}
