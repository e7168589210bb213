// exercise pairs (AGPU): a stride of two, coalesced.
//
// out[i] = in[2i] + in[2i+1] for n words, n even. Lanes that read every second word ask for twice
// as many blocks as they need, twice. Must be met: Q <= ceil(n/b) + ceil(n/2b) + 1.
//
//   agpusim exercise grade pairs.hpp

struct Pairs {
  static constexpr const char* name = "pairs";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const std::int64_t first = mp.task() * V;  // first element of out that this task writes
    const auto tile = mp.template shared<std::uint32_t>(2 * V, "tile");
    // YOUR CODE: read 2V neighbouring words as rows of V, through the tile
  }
};
