// exercise tree_sum (AGPU): a reduction without divergence.
//
// out[0] = in[0] + ... + in[V-1], by one task of V lanes, V a power of two: a tree in shared
// memory. A warp with a single active lane costs as much as a full one, one without any costs
// nothing. Must be met: T <= (lg V + 12)·W + 6·lg V for W warps, no bank conflict.
//
//   agpusim exercise grade tree_sum.hpp

struct TreeSum {
  static constexpr const char* name = "tree_sum";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(V, "tile");
    tile.write(lane, in.read(lane));
    // YOUR CODE: which lanes add what in each round, so that they are neighbours?
    mp.sync();
    mp.when(lane == 0, [&] { out.write(lane, tile.read(lane)); });
  }
};
