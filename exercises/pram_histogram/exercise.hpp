// exercise pram_histogram (Sum-CRCW): counting in two steps.
//
// out[v] = how many of the n numbers of in are v modulo 8, for v = 0..7, on a Sum-CRCW PRAM: a cell
// receives the sum of the values that are written to it in a step. A write replaces what was there,
// and a cell that nobody writes keeps it. Must be met: 2 steps, max(n, 8) processors.
//
//   agpusim exercise grade pram_histogram.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE
}
