// The larger end. Expected: WRONG result.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  pram.step("first", 1, [&](auto& p) { p.write(out, 0, p.read(in, 0)); });
  pram.step("last", 1,
            [&](auto& p) { p.write(out, 0, std::max(p.read(in, 0), p.read(in, n - 1))); });
}
