// A tree: lg n steps. Expected: WRONG cost.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const auto some = pram.array(in.size(), "some");
  pram.step("copy", in.size(), [&](auto& p) { p.write(some, p.id(), p.read(in, p.id()) != 0); });
  for (std::int64_t n = in.size(); n > 1; n = (n + 1) / 2) {
    pram.step("pairs", n / 2, [&](auto& p) {
      p.write(some, p.id(), p.read(some, p.id()) | p.read(some, p.id() + (n + 1) / 2));
    });
  }
  pram.step("result", 1, [&](auto& p) { p.write(out, 0, p.read(some, 0)); });
}
