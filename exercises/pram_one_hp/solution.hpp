inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  pram.step("heads", in.size(), [&](auto& p) {
    const std::int64_t before = p.id() > 0 ? p.read(in, p.id() - 1) : 0;
    if (p.read(in, p.id()) != before) p.write(out, before, p.id());
  });
}
