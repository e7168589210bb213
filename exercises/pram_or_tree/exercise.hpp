// exercise pram_or_tree (EREW): a disjunction without concurrent writes.
//
// out[0] = 1 where some of the n numbers of in is not 0, else 0; on an EREW PRAM: no two processors
// touch one cell in a step. (Even with concurrent reads no program is faster than about lg n
// steps.) Must be met: ceil(lg n) + 2 steps, work 3n. in may be overwritten.
//
//   agpusim exercise grade pram_or_tree.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE
}
