// exercise pram_one_hp (CREW): the tail of the 1-H-P sort.
//
// in is Ap, the inclusive prefix sums of a histogram of distinct keys 0..n-1: a number is the one
// before it, or 1 more where its key occurs. out is the ceil(n/2) keys that occur, sorted. On a
// CREW PRAM several processors may read one cell in a step, but not write it. Must be met: 1 step,
// n processors.
//
//   agpusim exercise grade pram_one_hp.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE: a processor may read two cells in a step.
}
