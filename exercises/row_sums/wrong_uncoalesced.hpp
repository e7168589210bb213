// Each lane reads its row from global memory. Expected: WRONG cost.
struct RowSums {
  static constexpr const char* name = "row_sums";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    auto sum = mp.varying(std::uint32_t{0});
    for (std::int32_t column = 0; column < V; ++column) sum = sum + in.read(lane * V + column);
    out.write(lane, sum);
  }
};
