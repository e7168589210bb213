#pragma once

#include "../common.hpp"

namespace zoo {

/// The mean of a point and its four neighbours on a square grid, whose border repeats.
struct Stencil2dNaive {
  static constexpr const char* name = "stencil_2d_naive";
  std::int32_t side;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < side * side, [&] {
      const auto x = i % side;
      const auto row = i - x;
      const auto left = in.read(row + agpusim::max(x - 1, 0));
      const auto right = in.read(row + agpusim::min(x + 1, side - 1));
      const auto up = in.read(agpusim::max(row - side, 0) + x);
      const auto down = in.read(agpusim::min(row + side, side * side - side) + x);
      out.write(i, (in.read(i) + left + right + up + down) * 0.2F);
    });
  }
};

/// The mean of Stencil2dNaive from a tile of V/32 rows of 32 points in shared memory, with a halo.
struct Stencil2dTiled {
  static constexpr const char* name = "stencil_2d_tiled";
  std::int32_t side;
  std::int32_t height;  ///< V/32
  std::int32_t across;  ///< tiles beside each other

  [[nodiscard]] std::int64_t shared_bytes() const { return std::int64_t{4} * 34 * (height + 2); }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto tile = mp.template shared<float>(34 * (height + 2), "tile");
    const auto task = static_cast<std::int32_t>(mp.task());
    const std::int32_t x0 = task % across * 32;
    const std::int32_t y0 = task / across * height;
    for (std::int32_t start = 0; start < 34 * (height + 2); start += mp.width()) {
      const auto j = mp.lane() + start;
      mp.when(j < 34 * (height + 2), [&] {
        const auto x = agpusim::min(agpusim::max(j % 34 + (x0 - 1), 0), side - 1);
        const auto y = agpusim::min(agpusim::max(j / 34 + (y0 - 1), 0), side - 1);
        tile.write(j, in.read(y * side + x));
      });
    }
    mp.sync();
    const auto x = mp.lane() % 32;
    const auto y = mp.lane() / 32;
    mp.when(x + x0 < side && y + y0 < side, [&] {
      const auto at = y * 34 + x + 35;
      const auto sum = tile.read(at) + tile.read(at - 1) + tile.read(at + 1) + tile.read(at - 34) +
                       tile.read(at + 34);
      out.write((y + y0) * side + x + x0, sum * 0.2F);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm stencil_2d() {
  const auto program = [](auto& run) {
    const std::int32_t side = side_of(run.n());
    const std::int64_t points = std::int64_t{side} * side;
    const auto in = run.input();
    const auto out = run.array(points, "out");
    if (run.variant() == "tiled") {
      const std::int32_t height = run.width() / 32;
      const auto across = static_cast<std::int32_t>(ceil_div(side, 32));
      run.launch(across * ceil_div(side, height), Stencil2dTiled{side, height, across}, in, out);
    } else {
      run.launch(ceil_div(points, run.width()), Stencil2dNaive{side}, in, out);
    }
    run.result(out);
  };
  const auto reference = [](const auto& in) {
    const std::int64_t side = side_of(static_cast<std::int64_t>(in.size()));
    return vector_of(side * side, [&](std::int64_t i) {
      const auto at = [&](std::int64_t x, std::int64_t y) {
        const auto inside = [side](std::int64_t v) {
          return std::clamp<std::int64_t>(v, 0, side - 1);
        };
        return in[static_cast<std::size_t>(inside(y) * side + inside(x))];
      };
      const std::int64_t x = i % side;
      const std::int64_t y = i / side;
      return (at(x, y) + at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)) * 0.2F;
    });
  };
  auto row = row_of<float>("stencil_2d", "the mean of a point and its four neighbours", program,
                           reference);
  row.variants = {variant("naive", "neighbours from global memory"),
                  variant("tiled", "neighbours from a tile in shared memory")};
  row.io = io_of("2n/b", 2);
  return row;
}

}  // namespace zoo
