// What a Common-CRCW PRAM may do. Expected: WRONG legality.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  pram.step("none", 1, [&](auto& p) { p.write(out, 0, 0); });
  pram.step("some", in.size(), [&](auto& p) {
    if (p.read(in, p.id()) != 0) p.write(out, 0, 1);
  });
}
