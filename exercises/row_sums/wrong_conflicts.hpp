// A column of the tile lies in one bank. Expected: WRONG cost.
struct RowSums {
  static constexpr const char* name = "row_sums";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(V * (V + 1), "tile");
    for (std::int32_t row = 0; row < V; ++row) {
      tile.write(lane + row * V, in.read(lane + row * V));
    }
    mp.sync();
    auto sum = mp.varying(std::uint32_t{0});
    for (std::int32_t column = 0; column < V; ++column) {
      sum = sum + tile.read(lane * V + column);
    }
    out.write(lane, sum);
  }
};
