// exercise pram_merge (CREW): two sorted sequences become one.
//
// The first n - floor(n/2) numbers of in are sorted, and so are the others; out is all of them,
// sorted, on a CREW PRAM: several processors may read one cell in a step, but not write it. Must be
// met: ceil(lg n) + 3 steps, n processors.
//
//   agpusim exercise grade pram_merge.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE: the place of a number is its place among its own and the number of others that come
  // before it, which binary search finds. Mind equal numbers.
}
