std::int64_t total;
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  std::int64_t L = 0;
  while ((std::int64_t{1} << L) < n) ++L;
  if (L < 1) L = 1;
  std::int64_t groups = (n + L - 1) / L;
  total = 0;
  for (std::int64_t k = 0; k < L; ++k)
    pram.step("local", groups, [&](auto& p) {
      const auto i = p.id() * L + k;
      if (i < n) total += p.read(in, i);
    });
  pram.step("out", 1, [&](auto& p) { p.write(out, 0, total); });
}
