// exercise pram_prefix (Sum-CRCW): prefix sums in a constant number of steps.
//
// out[i] = in[0] + ... + in[i] for n numbers, on a Sum-CRCW PRAM: a cell receives the sum of the
// values that are written to it in a step. Must be met: 2 steps, n^2 processors. (`agpusim pram
// scan` does it with fewer processors.)
//
//   agpusim exercise grade pram_prefix.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE
}
