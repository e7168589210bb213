// exercise matrix_product (AGPU): tiles that are read once and used V times.
//
// in is two m x m matrices a and b, row after row, m a multiple of V = b lanes; out is their
// product (modulo 2^32). V may be any number, such as 9. Task t computes the t-th tile of V x V
// numbers of out, row of tiles after row of tiles. Must be met: Q <= 2·m^3/V^2 + 2·m^2/V, within M
// = 3·V^2 words.
//
//   agpusim exercise grade matrix_product.hpp

struct MatrixProduct {
  static constexpr const char* name = "matrix_product";
  std::int64_t m;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const std::int64_t row = mp.task() / (m / V) * V;  // row of this tile's first number in out
    const std::int64_t column = mp.task() % (m / V) * V;
    const auto a = mp.template shared<std::uint32_t>(V * V, "a");
    const auto b = mp.template shared<std::uint32_t>(V * V, "b");
    const auto c = mp.template shared<std::uint32_t>(V * V, "c");
    // YOUR CODE: in.from((row + i) * m + k).read(lane) are V numbers of a row of a; b begins at m *
    // m. Keep a tile of each and sums of their products, then go on to the next tiles.
  }
};
