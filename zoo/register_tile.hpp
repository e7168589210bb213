#pragma once

#include "common.hpp"

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

/// The means of x[i] and y[i], `count` elements a lane, V apart.
template <std::int32_t count>
struct MidpointApart {
  static constexpr const char* name = "midpoint_apart";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View x, View y, View out) const {
    const auto first = mp.lane() + static_cast<std::int32_t>(mp.task()) * count * mp.width();
    for (std::int32_t k = 0; k < count; ++k) {
      const auto i = first + k * mp.width();
      mp.when(i < n, [&] { out.write(i, (x.read(i) + y.read(i)) * 0.5F); });
    }
  }
};

/// The means of x[i] and y[i], 4 neighbours a lane, 16 bytes at once; the last takes what is left.
struct MidpointWide {
  static constexpr const char* name = "midpoint_wide";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View x, View y, View out) const {
    const auto i = global_index(mp) * 4;
    mp.when(i + 3 < n, [&] {
      auto a = x.template read_wide<4>(i);
      const auto b = y.template read_wide<4>(i);
      for (std::int32_t k = 0; k < 4; ++k) a[k] = (a[k] + b[k]) * 0.5F;
      out.write_wide(i, a);
    });
    const std::int32_t left = n % 4;
    mp.when(i == n - left, [&] {
      for (std::int32_t k = 0; k < left; ++k) {
        out.write(i + k, (x.read(i + k) + y.read(i + k)) * 0.5F);
      }
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm midpoint() {
  const auto program = [](auto& run) {
    const std::int64_t V = run.width();
    const std::int32_t n = length(run);
    const auto x = run.input();
    const auto y = run.upload(run.n(), "y", [n] { return numbers(n); });
    const auto out = run.array(run.n(), "out");
    if (run.variant() == "one") run.launch(run.tasks_of(V), MidpointApart<1>{n}, x, y, out);
    if (run.variant() == "four") run.launch(run.tasks_of(4 * V), MidpointApart<4>{n}, x, y, out);
    if (run.variant() == "wide") run.launch(run.tasks_of(4 * V), MidpointWide{n}, x, y, out);
    run.result(out);
  };
  const auto reference = [](auto x) {
    const auto y = numbers(static_cast<std::int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = (x[i] + y[i]) * 0.5F;
    return x;
  };
  auto row = row_of<float>("midpoint", "the means of two arrays", program, reference);
  row.variants = {variant("one", "an element a lane"),
                  variant("four", "4 elements a lane, V apart"),
                  variant("wide", "4 neighbours a lane, in one access")};
  row.io = io_of("3n/b", 3);
  return row;
}

/// Each lane sorts 8 elements, V apart, in its registers; lanes beyond the end hold the largest.
struct SortEight {
  static constexpr const char* name = "sort_eight";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto first = mp.lane() + static_cast<std::int32_t>(mp.task()) * 8 * mp.width();
    auto keys = agpusim::registers_of<8>(mp.varying(0xffffffffu));
    for (std::int32_t k = 0; k < 8; ++k) {
      const auto i = first + k * mp.width();
      mp.when(i < n, [&] { keys[k] = in.read(i); });
    }
    for (std::int32_t turn = 0; turn < 8; ++turn) {
      for (std::int32_t k = turn % 2; k < 7; k += 2) {
        const auto low = agpusim::min(keys[k], keys[k + 1]);
        keys[k + 1] = agpusim::max(keys[k], keys[k + 1]);
        keys[k] = low;
      }
    }
    for (std::int32_t k = 0; k < 8; ++k) {
      const auto i = first + k * mp.width();
      mp.when(i < n, [&] { out.write(i, keys[k]); });
    }
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm sort_eight() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.n(), "out");
    run.launch(run.tasks_of(std::int64_t{8} * run.width()), SortEight{length(run)}, in, out);
    run.result(out);
  };
  const auto reference = [](auto x, const agpusim::RunConfig& run) {
    const auto V = static_cast<std::size_t>(run.spec.width);
    for (std::size_t first = 0; first < x.size(); first += first % V == V - 1 ? 7 * V + 1 : 1) {
      std::vector<std::uint32_t> keys;
      for (std::size_t k = 0; k < 8 && first + k * V < x.size(); ++k)
        keys.push_back(x[first + k * V]);
      std::sort(keys.begin(), keys.end());
      for (std::size_t k = 0; k < keys.size(); ++k) x[first + k * V] = keys[k];
    }
    return x;
  };
  return row_of<std::uint32_t>("sort_eight", "each lane sorts 8 elements in registers", program,
                               reference, io_of("2n/b", 2));
}

}  // namespace zoo
