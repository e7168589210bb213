// exercise pram_zero_compressed (Sum-CRCW): a histogram without its zeros.
//
// in is a histogram A of n values. out is v + 1 for each v with A[v] > 0, in their order, and then
// zeros: the array iC of the 0-compressed H-P sort, n numbers in all. On a Sum-CRCW PRAM a cell
// receives the sum of the values that are written to it in a step. Must be met: 2 steps, n^2 + n
// processors.
//
//   agpusim exercise grade pram_zero_compressed.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE: processors of one step may do different things.
}
