// exercise pram_rank_sort (Sum-CRCW): sorting in three steps.
//
// out is the n numbers of in, sorted, on a Sum-CRCW PRAM: a cell receives the sum of the values
// that are written to it in a step. Must be met: 3 steps, n^2 processors.
//
//   agpusim exercise grade pram_rank_sort.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE: the place of a number is how many come before it. Mind equal numbers.
}
