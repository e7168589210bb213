// Looks at one number. Expected: WRONG result.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  pram.step("one", 1, [&](auto& p) { p.write(out, 0, p.read(in, 0) != 0); });
}
