// exercise pram_reverse (EREW): a first step: an array the other way round.
//
// out[n-1-i] = in[i] for n numbers, on an EREW PRAM: no two processors touch one cell in a step.
// Must be met: 1 step, n processors.
//
//   agpusim exercise grade pram_reverse.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE: pram.step("name", processors, [&](auto& p) { ... }) is one step; p.id() is the
  // number of the processor, p.read(in, i) a number, p.write(out, i, value) takes effect at the end
  // of the step. in.size() is n.
}
