// exercise pram_broadcast (EREW): one number to n cells, without concurrent reads.
//
// out[i] = in[0] for every i, where in and out have n cells, on an EREW PRAM: no two processors
// read one cell in a step. Must be met: ceil(lg n) + 1 steps, n processors.
//
//   agpusim exercise grade pram_broadcast.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE: a cell that has the number can give it to one other cell in a step.
}
