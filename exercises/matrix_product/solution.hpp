struct MatrixProduct {
  static constexpr const char* name = "matrix_product";
  std::int64_t m;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const std::int64_t row = mp.task() / (m / V) * V;  // row of this tile's first number in c
    const std::int64_t column = mp.task() % (m / V) * V;
    const auto a = mp.template shared<std::uint32_t>(V * V, "a");
    const auto b = mp.template shared<std::uint32_t>(V * V, "b");
    const auto c = mp.template shared<std::uint32_t>(V * V, "c");
    for (std::int32_t i = 0; i < V; ++i) c.write(lane + i * V, mp.varying(std::uint32_t{0}));
    for (std::int64_t k = 0; k < m; k += V) {
      for (std::int32_t i = 0; i < V; ++i) {
        a.write(lane + i * V, in.from(0 + (row + i) * m + k).read(lane));
        b.write(lane + i * V, in.from(m * m + (k + i) * m + column).read(lane));
      }
      mp.sync();
      for (std::int32_t i = 0; i < V; ++i) {
        auto sum = c.read(lane + i * V);
        for (std::int32_t j = 0; j < V; ++j) {
          sum = sum + a.read(mp.varying(i * V + j)) * b.read(lane + j * V);
        }
        c.write(lane + i * V, sum);
      }
      mp.sync();
    }
    for (std::int32_t i = 0; i < V; ++i) {
      out.from((row + i) * m + column).write(lane, c.read(lane + i * V));
    }
  }
};
