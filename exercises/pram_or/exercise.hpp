// exercise pram_or (Common-CRCW): a disjunction in two steps.
//
// out[0] = 1 where some of the n numbers of in is not 0, else 0; on a Common-CRCW PRAM,
// whose processors may write one cell at once when they write the same value. Must be met: 2 steps.
//
//   agpusim exercise grade pram_or.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE: pram.step("name", processors, [&](auto& p) { ... }) is one step; p.id() is the
  // number of the processor, p.read(in, i) a number, p.write(out, 0, value) takes effect at the end
  // of the step.
}
