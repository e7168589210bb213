inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  std::vector<std::int64_t> own(n);
  pram.step("load", n, [&](auto& p) {
    own[p.id()] = p.read(in, p.id());
    p.write(out, p.id(), own[p.id()]);
  });
  for (std::int64_t d = 1; d < n; d *= 2)
    pram.step("add", n - d, [&](auto& p) {
      const auto i = p.id() + d;
      own[i] += p.read(out, p.id());
      p.write(out, i, own[i]);
    });
}
