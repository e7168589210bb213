// exercise pram_first (Priority-CRCW): the first number that is not 0.
//
// out[0] = the smallest i with in[i] != 0, or n where there is none, on a Priority-CRCW PRAM: of
// several processors that write one cell, the one with the smallest number wins. Must be met: 2
// steps, n processors.
//
//   agpusim exercise grade pram_first.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE
}
