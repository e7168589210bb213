// Reads b for every number again. Expected: WRONG cost.
struct MatrixProduct {
  static constexpr const char* name = "matrix_product";
  std::int64_t m;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const std::int64_t row = mp.task() / (m / V) * V;
    const std::int64_t column = mp.task() % (m / V) * V;
    for (std::int32_t i = 0; i < V; ++i) {
      auto sum = mp.varying(std::uint32_t{0});
      for (std::int64_t k = 0; k < m; ++k) {
        const auto a = in.from((row + i) * m + k).read(mp.varying(0));
        sum = sum + a * in.from(m * m + k * m + column).read(lane);
      }
      out.from((row + i) * m + column).write(lane, sum);
    }
  }
};
