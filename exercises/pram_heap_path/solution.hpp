inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t runs = in.size() / 2;
  std::int64_t v = 1;
  for (std::int64_t level = 1; level < runs; level *= 2) {
    pram.step("down", 1, [&](auto& p) {
      const std::int64_t left = p.read(in, 2 * v);
      const std::int64_t right = p.read(in, 2 * v + 1);
      v = 2 * v + (right < left);
      if (v >= runs) p.write(out, 0, v - runs);
    });
  }
}
