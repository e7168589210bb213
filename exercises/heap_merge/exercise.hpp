// exercise heap_merge (AGPU): what a node of the heap does with a fetched block.
//
// in is two sorted blocks of b words: the buffer of a node, and what it has fetched from a child. A
// bitonic merge sorts both together; out is all 2b words, of which the first b go to the parent and
// the others stay. By one task of V = b lanes, a power of two. Must be met: T <= 16 lg b + 12,
// no bank conflict, Q <= 4.
//
//   agpusim exercise grade heap_merge.hpp

struct HeapMerge {
  static constexpr const char* name = "heap_merge";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(2 * V, "tile");
    // YOUR CODE: one block from its first word on, the other from its last: the smaller words of
    // the pairs are the b smallest, and both halves are bitonic. Then lanes i and i ^ stride
    // compare, in each half, for stride = b/2, b/4, ..., 1. agpusim::min, max, select
  }
};
