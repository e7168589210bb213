inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  std::int64_t length = 1;
  while ((std::int64_t{1} << length) < n) ++length;
  const std::int64_t groups = (n + length - 1) / length;
  std::vector<std::int64_t> sum(static_cast<std::size_t>(groups), 0);
  const auto sums = pram.array(groups, "sums");
  for (std::int64_t s = 0; s < length; ++s) {
    pram.step("own numbers", groups, [&](auto& p) {
      const std::int64_t i = s * groups + p.id();
      if (i >= n) return;
      sum[static_cast<std::size_t>(p.id())] += p.read(in, i);
      if (i + groups >= n) p.write(sums, p.id(), sum[static_cast<std::size_t>(p.id())]);
    });
  }
  for (std::int64_t left = groups; left > 1; left -= left / 2) {
    const std::int64_t half = left - left / 2;
    pram.step("pairs", left / 2, [&](auto& p) {
      p.write(sums, p.id(), p.read(sums, p.id()) + p.read(sums, p.id() + half));
    });
  }
  pram.step("result", 1, [&](auto& p) { p.write(out, 0, p.read(sums, 0)); });
}
