#pragma once

#include "common.hpp"

namespace zoo {

/// Sums of windows of `window` rows down each column of an image; a lane adds up each window.
struct BoxBlurDirect {
  static constexpr const char* name = "box_blur_direct";
  std::int32_t n;
  std::int32_t columns;
  std::int32_t window;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto sum = mp.varying(0u);
      for (std::int32_t k = 0; k < window; ++k) {
        const auto at = i + k * columns;
        mp.when(at < n, [&] { sum = sum + in.read(at); });
      }
      out.write(i, sum);
    });
  }
};

/// Sums of windows down each column: a lane for `strip` rows adds what enters the window and
/// subtracts what leaves.
struct BoxBlurSliding {
  static constexpr const char* name = "box_blur_sliding";
  std::int32_t n;
  std::int32_t columns;
  std::int32_t window;
  std::int32_t strip;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = global_index(mp);
    const auto first = lane / columns * (columns * strip) + lane % columns;
    auto sum = mp.varying(0u);
    for (std::int32_t k = 0; k < window - 1; ++k) {
      const auto at = first + k * columns;
      mp.when(at < n, [&] { sum = sum + in.read(at); });
    }
    for (std::int32_t k = 0; k < strip; ++k) {
      const auto at = first + k * columns;
      const auto enters = at + (window - 1) * columns;
      mp.when(enters < n, [&] { sum = sum + in.read(enters); });
      mp.when(at < n, [&] {
        out.write(at, sum);
        sum = sum - in.read(at);
      });
    }
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm box_blur() {
  const auto program = [](auto& run) {
    const std::int32_t columns = setting(run, "columns");
    const std::int32_t window = setting(run, "window");
    const auto in = run.input();
    const auto out = run.array(run.n(), "sums");
    if (run.variant() == "sliding") {
      constexpr std::int32_t strip = 32;
      const std::int64_t lanes = run.tasks_of(std::int64_t{columns} * strip) * columns;
      run.launch(ceil_div(lanes, run.width()), BoxBlurSliding{length(run), columns, window, strip},
                 in, out);
    } else {
      run.launch(run.tasks_of(run.width()), BoxBlurDirect{length(run), columns, window}, in, out);
    }
    run.result(out);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    const std::size_t columns = setting(run, "columns");
    std::vector<std::uint32_t> sums(in.size(), 0);
    for (std::size_t i = 0; i < in.size(); ++i) {
      for (std::size_t k = 0; k < setting(run, "window"); ++k) {
        if (i + k * columns < in.size()) sums[i] += in[i + k * columns];
      }
    }
    return sums;
  };
  auto row = row_of<std::uint32_t>("box_blur", "sums of windows down the columns of an image",
                                   program, reference);
  row.variants = {variant("direct", "each window is added up"),
                  variant("sliding", "a lane slides a window down its column")};
  row.parameters = {parameter("columns", "of the image; the last row may be shorter", 256),
                    parameter("window", "rows of a window", 9)};
  return row;
}

/// The mean of an element and its neighbours up to `radius` away; the ends of the array repeat.
struct Stencil1dNaive {
  static constexpr const char* name = "stencil_1d_naive";
  std::int32_t n;
  std::int32_t radius;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto sum = mp.varying(0.0F);
      for (std::int32_t d = 0 - radius; d <= radius; ++d) {
        sum = sum + in.read(agpusim::min(agpusim::max(i + d, 0), n - 1));
      }
      out.write(i, sum / static_cast<float>(2 * radius + 1));
    });
  }
};

/// The mean of Stencil1dNaive from a tile in shared memory, with a halo on both sides.
struct Stencil1dTiled {
  static constexpr const char* name = "stencil_1d_tiled";
  std::int32_t n;
  std::int32_t radius;
  std::int32_t tile_size;  ///< V + 2 radius

  [[nodiscard]] std::int64_t shared_bytes() const { return std::int64_t{4} * tile_size; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto tile = mp.template shared<float>(tile_size, "tile");
    const auto first = static_cast<std::int32_t>(mp.task() * mp.width()) - radius;
    for (std::int32_t start = 0; start < tile_size; start += mp.width()) {
      const auto j = mp.lane() + start;
      mp.when(j < tile_size,
              [&] { tile.write(j, in.read(agpusim::min(agpusim::max(j + first, 0), n - 1))); });
    }
    mp.sync();
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto sum = mp.varying(0.0F);
      for (std::int32_t d = 0; d <= 2 * radius; ++d) sum = sum + tile.read(mp.lane() + d);
      out.write(i, sum / static_cast<float>(2 * radius + 1));
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm stencil_1d() {
  const auto program = [](auto& run) {
    const std::int32_t radius = setting(run, "radius");
    const std::int64_t tasks = run.tasks_of(run.width());
    const auto in = run.input();
    const auto out = run.array(run.n(), "out");
    if (run.variant() == "tiled") {
      const std::int32_t tile_size = run.width() + 2 * radius;
      run.launch(tasks, Stencil1dTiled{length(run), radius, tile_size}, in, out);
    } else {
      run.launch(tasks, Stencil1dNaive{length(run), radius}, in, out);
    }
    run.result(out);
  };
  const auto reference = [](const auto& x, const agpusim::RunConfig& run) {
    const auto radius = static_cast<std::int64_t>(setting(run, "radius"));
    const auto n = static_cast<std::int64_t>(x.size());
    return vector_of(n, [&](std::int64_t i) {
      float sum = 0.0F;
      for (std::int64_t j = i - radius; j <= i + radius; ++j) {
        sum += x[static_cast<std::size_t>(std::clamp<std::int64_t>(j, 0, n - 1))];
      }
      return sum / static_cast<float>(2 * radius + 1);
    });
  };
  auto row =
      row_of<float>("stencil_1d", "the mean of an element and its neighbours", program, reference);
  row.variants = {variant("naive", "neighbours from global memory"),
                  variant("tiled", "neighbours from a tile in shared memory")};
  row.io = io_of("2n/b", 2);
  row.parameters = {parameter("radius", "neighbours on each side", 4)};
  return row;
}

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
