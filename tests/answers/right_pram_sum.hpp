inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  std::int64_t L = 0;
  while ((std::int64_t{1} << L) < n) ++L;
  if (L < 1) L = 1;
  std::int64_t groups = (n + L - 1) / L;
  std::vector<std::int64_t> acc(groups, 0);
  for (std::int64_t k = 0; k < L; ++k)
    pram.step("local", groups, [&](auto& p) {
      const auto i = p.id() * L + k;
      if (i < n) acc[p.id()] += p.read(in, i);
    });
  pram.step("store", groups, [&](auto& p) { p.write(in, p.id(), acc[p.id()]); });
  std::int64_t m = groups;
  while (m > 1) {
    const std::int64_t h = (m + 1) / 2;
    pram.step("tree", m - h,
              [&](auto& p) { p.write(in, p.id(), p.read(in, p.id()) + p.read(in, p.id() + h)); });
    m = h;
  }
  pram.step("out", 1, [&](auto& p) { p.write(out, 0, p.read(in, 0)); });
}
