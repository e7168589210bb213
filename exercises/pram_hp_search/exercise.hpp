// exercise pram_hp_search (CREW): the second half of the H-P sort, by searching.
//
// in is Ap, the inclusive prefix sums of a histogram of n keys 0..n-1; its last number is n. out is
// the n keys, sorted: out[i] = the smallest v with Ap[v] > i. On a CREW PRAM several processors may
// read one cell in a step, but not write it. Must be met: ceil(lg n) + 1 steps, n processors.
//
//   agpusim exercise grade pram_hp_search.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE: registers of the processors are a std::vector of yours, indexed by p.id().
}
