// exercise pram_maximum (Common-CRCW): the largest of n numbers in a constant number of steps.
//
// out[0] = the largest number of in, on a Common-CRCW PRAM, whose processors may write one cell at
// once when they write the same value. Must be met: 4 steps, n^2 processors.
//
//   agpusim exercise grade pram_maximum.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE: pram.array(size, "name") makes an array of cells that nobody has written. There is a
  // processor for every pair of numbers.
}
