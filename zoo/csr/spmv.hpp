#pragma once

#include "../graph.hpp"

namespace zoo {

/// A sparse matrix times a vector, modulo 2^32: a lane for each row.
struct SpmvLane {
  static constexpr const char* name = "spmv_lane";
  std::int32_t rows;

  template <class Mp, class Places, class View>
  AGPUSIM_FN void operator()(Mp& mp, Places starts, Places columns, View values, View x,
                             View y) const {
    const auto row = global_index(mp);
    mp.when(row < rows, [&] {
      auto i = starts.read(row);
      const auto end = starts.read(row + 1);
      auto sum = mp.varying(0u);
      mp.while_any([&] { return i < end; },
                   [&] {
                     sum = sum + values.read(i) * x.read(columns.read(i));
                     i = i + 1;
                   });
      y.write(row, sum);
    });
  }
};

/// A sparse matrix times a vector, modulo 2^32: a warp for each row.
struct SpmvWarp {
  static constexpr const char* name = "spmv_warp";
  std::int32_t rows;

  template <class Mp, class Places, class View>
  AGPUSIM_FN void operator()(Mp& mp, Places starts, Places columns, View values, View x,
                             View y) const {
    const auto row = global_index(mp) / 32;
    const auto lane = mp.lane() % 32;
    auto sum = mp.varying(0u);
    mp.when(row < rows, [&] {
      auto i = starts.read(row) + lane;
      const auto end = starts.read(row + 1);
      mp.while_any([&] { return i < end; },
                   [&] {
                     sum = sum + values.read(i) * x.read(columns.read(i));
                     i = i + 32;
                   });
    });
    for (std::int32_t d = 16; d > 0; d /= 2) sum = sum + mp.shuffle(sum, lane ^ d);
    mp.when(lane == 0 && row < rows, [&] { y.write(row, sum); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm spmv() {
  const auto program = [](auto& run) {
    const std::int64_t n = run.n();
    const std::int64_t rows = rows_of(n);
    const auto few = static_cast<std::int32_t>(rows);
    const auto values = run.input();
    const auto starts = run.upload(rows + 1, "starts", [n] { return row_starts(n); });
    const auto columns = run.upload(n, "columns", [n] { return columns_of(n); });
    const auto x = run.upload(rows, "x", [rows] { return words(rows); });
    const auto y = run.array(rows, "y");
    if (run.variant() == "lane") {
      run.launch(ceil_div(rows, run.width()), SpmvLane{few}, starts, columns, values, x, y);
    } else {
      run.launch(ceil_div(rows * 32, run.width()), SpmvWarp{few}, starts, columns, values, x, y);
    }
    run.result(y);
  };
  const auto reference = [](const auto& values) {
    const auto n = static_cast<std::int64_t>(values.size());
    const auto starts = row_starts(n);
    const auto columns = columns_of(n);
    const auto x = words(rows_of(n));
    std::vector<std::uint32_t> y(x.size(), 0);
    for (std::size_t row = 0; row < y.size(); ++row) {
      for (auto i = static_cast<std::size_t>(starts[row]);
           i < static_cast<std::size_t>(starts[row + 1]); ++i) {
        y[row] += values[i] * x[static_cast<std::size_t>(columns[i])];
      }
    }
    return y;
  };
  auto row = row_of<std::uint32_t>("spmv", "a sparse matrix of n elements times a vector", program,
                                   reference);
  row.variants = {variant("lane", "a lane for each row"), variant("warp", "a warp for each row")};
  return row;
}

}  // namespace zoo
