// Sums of columns, which are coalesced by nature. Expected: WRONG result.
struct RowSums {
  static constexpr const char* name = "row_sums";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    auto sum = mp.varying(std::uint32_t{0});
    for (std::int32_t row = 0; row < V; ++row) sum = sum + in.read(lane + row * V);
    out.write(lane, sum);
  }
};
