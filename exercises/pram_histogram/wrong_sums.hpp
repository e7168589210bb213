// Adds up the numbers instead of counting them. Expected: WRONG result.
inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  pram.step("clear", 8, [&](auto& p) { p.write(out, p.id(), 0); });
  pram.step("add", in.size(), [&](auto& p) {
    const std::int64_t x = p.read(in, p.id());
    p.write(out, x % 8, x);
  });
}
