// A processor writes once in a step. Expected: WRONG legality.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  pram.step("all", in.size(), [&](auto& p) {
    if (p.id() == in.size() - 1) p.write(out, 0, in.size());
    if (p.read(in, p.id()) != 0) p.write(out, 0, p.id());
  });
}
