// Does not wait for the round before. Expected: WRONG legality.
struct TreeSum {
  static constexpr const char* name = "tree_sum";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(V, "tile");
    tile.write(lane, in.read(lane));
    mp.sync();
    for (std::int32_t half = V / 2; half > 0; half /= 2) {
      mp.when(lane < half, [&] { tile.write(lane, tile.read(lane) + tile.read(lane + half)); });
    }
    mp.sync();
    mp.when(lane == 0, [&] { out.write(lane, tile.read(lane)); });
  }
};
