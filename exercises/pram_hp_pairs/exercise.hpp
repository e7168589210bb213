// exercise pram_hp_pairs (Sum-CRCW): the second half of the H-P sort, without a histogram.
//
// in is Ap, the inclusive prefix sums of a histogram of n keys 0..n-1; its last number is n. out is
// the n keys, sorted: out[i] = how many of the Ap[v] are at most i. On a Sum-CRCW PRAM a cell
// receives the sum of the values that are written to it in a step. Must be met: 2 steps, n^2
// processors.
//
//   agpusim exercise grade pram_hp_pairs.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE
}
