// Everybody reads in[0] at once. Expected: WRONG legality.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  pram.step("all", out.size(), [&](auto& p) { p.write(out, p.id(), p.read(in, 0)); });
}
