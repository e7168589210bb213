struct Transpose {
  static constexpr const char* name = "transpose";
  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(V * (V + 1), "tile");
    for (std::int32_t row = 0; row < V; ++row)
      tile.write(row * (V + 1) + lane, in.read(row * V + lane));
    mp.sync();
    for (std::int32_t row = 0; row < V; ++row)
      out.write(row * V + lane, tile.read(lane * (V + 1) + row));
  }
};
