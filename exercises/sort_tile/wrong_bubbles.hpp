// Neighbours change places: V rounds. Expected: WRONG cost.
struct SortTile {
  static constexpr const char* name = "sort_tile";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(V, "tile");
    auto own = in.read(lane);
    for (std::int32_t round = 0; round < V; ++round) {
      tile.write(lane, own);
      mp.sync();
      const auto lower = (lane & 1) == round % 2;
      const auto partner = agpusim::select(lower, lane + 1, lane - 1);
      mp.when(partner >= 0, [&] {
        mp.when(partner < V, [&] {
          const auto other = tile.read(partner);
          own = agpusim::select(lower, agpusim::min(own, other), agpusim::max(own, other));
        });
      });
      mp.sync();
    }
    out.write(lane, own);
  }
};
