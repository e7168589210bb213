// exercise pram_next_fit (Sum-CRCW): regions for multiprocessors, as Lemma 4.1 assigns them.
//
// in is the keys of n regions. Next-fit gives them to multiprocessors 0, 1, ... in their order, and
// goes on to the next one where the load of this one would reach 2/4 of all keys: the cap 2n/k of
// the lemma for k = 4. No multiprocessor goes without a region. out[r] = the multiprocessor of
// region r. Must be met: n + 1 steps, n processors.
//
//   agpusim exercise grade pram_next_fit.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE: the sum of all keys takes one step.
}
