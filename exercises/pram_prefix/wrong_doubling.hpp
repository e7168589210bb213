// Works on weaker machines too: lg n steps. Expected: WRONG cost.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  pram.step("copy", n, [&](auto& p) { p.write(out, p.id(), p.read(in, p.id())); });
  for (std::int64_t d = 1; d < n; d *= 2) {
    pram.step("add", n, [&](auto& p) {
      if (p.id() >= d) p.write(out, p.id(), p.read(out, p.id()) + p.read(out, p.id() - d));
    });
  }
}
