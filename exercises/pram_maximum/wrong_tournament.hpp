// A tree: lg n steps. Expected: WRONG cost.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  for (std::int64_t n = in.size(); n > 1; n -= n / 2) {
    const std::int64_t half = n - n / 2;
    pram.step("pairs", n / 2, [&](auto& p) {
      p.write(in, p.id(), std::max(p.read(in, p.id()), p.read(in, p.id() + half)));
    });
  }
  pram.step("result", 1, [&](auto& p) { p.write(out, 0, p.read(in, 0)); });
}
