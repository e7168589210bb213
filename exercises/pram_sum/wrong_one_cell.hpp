// What a Sum-CRCW PRAM may do. Expected: WRONG legality.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  pram.step("all", in.size(), [&](auto& p) { p.write(out, 0, p.read(in, p.id())); });
}
