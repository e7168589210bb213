inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  const std::int64_t n = in.size();
  pram.step("all", n, [&](auto& p) { p.write(out, n - 1 - p.id(), p.read(in, p.id())); });
}
