// A value that does not occur has no writer. Expected: WRONG legality.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  pram.step("count", in.size(), [&](auto& p) { p.write(out, p.read(in, p.id()) % 8, 1); });
}
