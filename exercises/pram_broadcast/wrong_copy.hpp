// Copies in. Expected: WRONG result.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  pram.step("all", out.size(), [&](auto& p) { p.write(out, p.id(), p.read(in, p.id())); });
}
