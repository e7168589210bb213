struct TreeSum {
  static constexpr const char* name = "tree_sum";
  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(V, "tile");
    tile.write(lane, in.read(lane));
    for (std::int32_t h = 1; h < V; h *= 2) {
      mp.sync();
      mp.when(lane % (2 * h) == 0,
              [&] { tile.write(lane, tile.read(lane) + tile.read(lane + h)); });
    }
    mp.sync();
    mp.when(lane == 0, [&] { out.write(lane, tile.read(lane)); });
  }
};
