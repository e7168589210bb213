// The active lanes lie apart, in every warp. Expected: WRONG cost.
struct TreeSum {
  static constexpr const char* name = "tree_sum";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(V, "tile");
    tile.write(lane, in.read(lane));
    for (std::int32_t step = 1; step < V; step *= 2) {
      mp.sync();
      mp.when(lane % (2 * step) == 0,
              [&] { tile.write(lane, tile.read(lane) + tile.read(lane + step)); });
    }
    mp.sync();
    mp.when(lane == 0, [&] { out.write(lane, tile.read(lane)); });
  }
};
