// Sorts every stretch upwards: no bitonic sequences. Expected: WRONG result.
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
        tile.write(lane, own);
        mp.sync();
        const auto other = tile.read(lane ^ stride);
        // The lower lane of a pair keeps the smaller word where its part of the array goes upwards.
        const auto keeps_smaller = ((lane & stride) == 0) == (lane == lane);
        own = agpusim::select(keeps_smaller, agpusim::min(own, other), agpusim::max(own, other));
        mp.sync();
      }
    }
    out.write(lane, own);
  }
};
