struct HeapMerge {
  static constexpr const char* name = "heap_merge";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(2 * V, "tile");
    const auto own = in.read(lane);
    const auto fetched = in.read(2 * V - 1 - lane);
    auto low = agpusim::min(own, fetched);
    auto high = agpusim::max(own, fetched);
    for (std::int32_t stride = V / 2; stride > 0; stride /= 2) {
      const auto partner = lane ^ stride;
      const auto is_lower = lane < partner;
      tile.write(lane, low);
      tile.write(lane + V, high);
      mp.sync();
      const auto other_low = tile.read(partner);
      const auto other_high = tile.read(partner + V);
      low = agpusim::select(is_lower, agpusim::min(low, other_low), agpusim::max(low, other_low));
      high =
          agpusim::select(is_lower, agpusim::min(high, other_high), agpusim::max(high, other_high));
      mp.sync();
    }
    out.write(lane, low);
    out.from(V).write(lane, high);
  }
};
