// exercise pram_list_ranking (EREW): how many come after me in a list.
//
// in[i] is the successor of node i in a linked list, -1 for the last; out[i] = the number of nodes
// after node i. On an EREW PRAM. Must be met: 2·ceil(lg n) + 1 steps, n processors. in may be
// overwritten.
//
//   agpusim exercise grade pram_list_ranking.hpp

inline void solve(agpusim::Pram& pram, agpusim::PramArray in, agpusim::PramArray out) {
  // YOUR CODE: in a round every node adds the distance of the node it points to and then points to
  // where that one points: links double. A processor writes one cell in a step.
}
