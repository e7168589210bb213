#pragma once

#include "../common.hpp"

namespace zoo {

/// The product of two square matrices, a lane for each element of it.
struct GemmNaive {
  static constexpr const char* name = "gemm_naive";
  std::int32_t side;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View a, View b, View c) const {
    const auto i = global_index(mp);
    mp.when(i < side * side, [&] {
      const auto column = i % side;
      const auto row = i - column;
      auto sum = mp.varying(0.0F);
      for (std::int32_t k = 0; k < side; ++k) {
        sum = sum + a.read(row + k) * b.read(column + k * side);
      }
      c.write(i, sum);
    });
  }
};

/// The product from tiles in shared memory: a task has 16 R columns and V/16 R rows of it, a lane R
/// x R elements, 16 columns and V/16 rows apart.
template <std::int32_t R>
struct GemmTiled {
  static constexpr const char* name = "gemm_tiled";
  std::int32_t side;
  std::int32_t height;  ///< rows of a tile: V/16 R
  std::int32_t across;  ///< tiles beside each other

  [[nodiscard]] std::int64_t shared_bytes() const { return std::int64_t{64} * (height + 16 * R); }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View a, View b, View c) const {
    const auto a_tile = mp.template shared<float>(16 * height, "a");
    const auto b_tile = mp.template shared<float>(256 * R, "b");
    const auto task = static_cast<std::int32_t>(mp.task());
    const std::int32_t x0 = task % across * 16 * R;
    const std::int32_t y0 = task / across * height;
    const auto x = mp.lane() % 16;
    const auto y = mp.lane() / 16;
    auto sums = agpusim::registers_of<R * R>(mp.varying(0.0F));
    for (std::int32_t k0 = 0; k0 < side; k0 += 16) {
      for (std::int32_t start = 0; start < 16 * height; start += mp.width()) {
        const auto j = mp.lane() + start;
        const auto row = j / 16 + y0;
        const auto column = j % 16 + k0;
        auto value = mp.varying(0.0F);
        mp.when(row < side && column < side, [&] { value = a.read(row * side + column); });
        a_tile.write(j, value);
      }
      for (std::int32_t start = 0; start < 256 * R; start += mp.width()) {
        const auto j = mp.lane() + start;
        const auto row = j / (16 * R) + k0;
        const auto column = j % (16 * R) + x0;
        auto value = mp.varying(0.0F);
        mp.when(row < side && column < side, [&] { value = b.read(row * side + column); });
        mp.when(j < 256 * R, [&] { b_tile.write(j, value); });
      }
      mp.sync();
      for (std::int32_t k = 0; k < 16; ++k) {
        const auto left = agpusim::make_registers<R>(
            [&](std::int32_t i) { return a_tile.read(y * 16 + (i * (height / R) * 16 + k)); });
        const auto right = agpusim::make_registers<R>(
            [&](std::int32_t i) { return b_tile.read(x + (k * 16 * R + i * 16)); });
        for (std::int32_t i = 0; i < R * R; ++i) sums[i] = sums[i] + left[i / R] * right[i % R];
      }
      mp.sync();
    }
    for (std::int32_t i = 0; i < R * R; ++i) {
      const auto row = y + (y0 + i / R * (height / R));
      const auto column = x + (x0 + i % R * 16);
      mp.when(row < side && column < side, [&] { c.write(row * side + column, sums[i]); });
    }
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm gemm() {
  const auto program = [](auto& run) {
    const std::int32_t side = side_of(run.n());
    const std::int64_t elements = std::int64_t{side} * side;
    const auto a = run.input();
    const auto b = run.upload(elements, "b", [elements] { return numbers(elements); });
    const auto c = run.array(elements, "c");
    const auto tiled = [&]<std::int32_t R>(std::integral_constant<std::int32_t, R>) {
      const std::int32_t height = run.width() / 16 * R;
      const auto across = static_cast<std::int32_t>(ceil_div(side, 16 * R));
      run.launch(across * ceil_div(side, height), GemmTiled<R>{side, height, across}, a, b, c);
    };
    if (run.variant() == "naive") {
      run.launch(ceil_div(elements, run.width()), GemmNaive{side}, a, b, c);
    } else if (run.variant() == "tiled") {
      tiled(std::integral_constant<std::int32_t, 1>());
    } else if (run.variant() == "registers_2") {
      tiled(std::integral_constant<std::int32_t, 2>());
    } else {
      tiled(std::integral_constant<std::int32_t, 4>());
    }
    run.result(c);
  };
  const auto reference = [](const auto& a) {
    const auto side = static_cast<std::size_t>(side_of(static_cast<std::int64_t>(a.size())));
    const auto b = numbers(static_cast<std::int64_t>(side * side));
    std::vector<float> c(side * side, 0.0F);
    for (std::size_t y = 0; y < side; ++y) {
      for (std::size_t k = 0; k < side; ++k) {
        for (std::size_t x = 0; x < side; ++x) c[y * side + x] += a[y * side + k] * b[k * side + x];
      }
    }
    return c;
  };
  auto row =
      row_of<float>("gemm", "the product of two matrices of sqrt(n) rows", program, reference);
  row.variants = {variant("naive", "a lane an element, from global memory"),
                  variant("tiled", "tiles in shared memory"),
                  variant("registers_2", "tiles, and 2 x 2 elements a lane"),
                  variant("registers_4", "tiles, and 4 x 4 elements a lane")};
  row.time = {"n^(3/2)/p", [](const agpusim::RunConfig& run) {
                return static_cast<double>(run.n) * side_of(run.n) /
                       static_cast<double>(run.spec.cores);
              }};
  return row;
}

}  // namespace zoo
