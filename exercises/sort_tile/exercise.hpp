// exercise sort_tile (AGPU): a sorting network in shared memory.
//
// out is the V words of in, sorted, by one task of V lanes, V a power of two. Must be met: T <= (6
// lg V (lg V + 1) + 4) W for W warps, no bank conflict.
//
//   agpusim exercise grade sort_tile.hpp

struct SortTile {
  static constexpr const char* name = "sort_tile";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(V, "tile");
    auto own = in.read(lane);
    for (std::int32_t size = 2; size <= V; size *= 2) {
      for (std::int32_t stride = size / 2; stride > 0; stride /= 2) {
        // YOUR CODE: lane i compares with lane i ^ stride; Batcher's bitonic network sorts every
        // second stretch of `size` words downwards. agpusim::min, max, select
      }
    }
    out.write(lane, own);
  }
};
