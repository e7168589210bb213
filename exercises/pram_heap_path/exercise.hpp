// exercise pram_heap_path (EREW): which run the heap reads from.
//
// in[v], v = 2..n-1, is the last key that node v of a heap has handed to its parent: nodes 1..n/2-1
// merge their children 2v and 2v+1, nodes n/2..n-1 are the runs 0..n/2-1; n is a power of two. A
// fetch goes from node 1 to the child with the smaller key (to the left one where they are equal),
// and so on. out[0] = the run it comes to. Must be met: lg n - 1 steps, 1 processor.
//
//   agpusim exercise grade pram_heap_path.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE: a processor may read two cells in a step.
}
