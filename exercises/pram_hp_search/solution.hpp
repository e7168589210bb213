inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  std::vector<std::int64_t> key(static_cast<std::size_t>(n), 0);
  std::vector<std::int64_t> last(key.size(), n - 1);
  for (std::int64_t left = n; left > 1; left = (left + 1) / 2) {
    pram.step("search", n, [&](auto& p) {
      const auto self = static_cast<std::size_t>(p.id());
      const std::int64_t middle = (key[self] + last[self]) / 2;
      if (p.read(in, middle) > p.id()) {
        last[self] = middle;
      } else {
        key[self] = middle + 1;
      }
    });
  }
  pram.step("write", n,
            [&](auto& p) { p.write(out, p.id(), key[static_cast<std::size_t>(p.id())]); });
}
