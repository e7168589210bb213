// The processor with the smallest number looks at the last one. Expected: WRONG result.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  pram.step("none", 1, [&](auto& p) { p.write(out, 0, in.size()); });
  pram.step("some", in.size(), [&](auto& p) {
    const std::int64_t i = in.size() - 1 - p.id();
    if (p.read(in, i) != 0) p.write(out, 0, i);
  });
}
