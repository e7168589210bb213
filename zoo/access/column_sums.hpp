#pragma once

#include "../common.hpp"

namespace zoo {

/// Sums of the columns of a row-major matrix: a lane walks down each column.
struct ColumnSumsLane {
  static constexpr const char* name = "column_sums_lane";
  std::int32_t n;
  std::int32_t columns;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View sums) const {
    const auto column = global_index(mp);
    mp.when(column < columns, [&] {
      auto sum = mp.varying(0u);
      for (std::int32_t first = 0; first < n; first += columns) {
        mp.when(column + first < n, [&] { sum = sum + in.read(column + first); });
      }
      sums.write(column, sum);
    });
  }
};

/// Sums of the columns: a lane for each column and 64 rows, whose sums meet by atomics.
struct ColumnSumsAtomic {
  static constexpr const char* name = "column_sums_atomic";
  std::int32_t n;
  std::int32_t columns;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View sums) const {
    const auto lane = global_index(mp);
    const auto column = lane % columns;
    const auto first = lane / columns * (64 * columns) + column;
    auto sum = mp.varying(0u);
    for (std::int32_t k = 0; k < 64; ++k) {
      const auto i = first + k * columns;
      mp.when(i < n, [&] { sum = sum + in.read(i); });
    }
    mp.when(first < n, [&] { sums.atomic_add(column, sum); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm column_sums() {
  const auto program = [](auto& run) {
    const std::int32_t columns = setting(run, "columns");
    const auto in = run.input();
    const auto sums = run.upload(columns, "sums", [columns] { return zeros(columns); });
    if (run.variant() == "lane") {
      run.launch(ceil_div(columns, run.width()), ColumnSumsLane{length(run), columns}, in, sums);
    } else {
      const std::int64_t lanes = run.tasks_of(std::int64_t{64} * columns) * columns;
      run.launch(ceil_div(lanes, run.width()), ColumnSumsAtomic{length(run), columns}, in, sums);
    }
    run.result(sums);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    auto sums = zeros(run.parameters.at("columns"));
    for (std::size_t i = 0; i < in.size(); ++i) sums[i % sums.size()] += in[i];
    return sums;
  };
  auto row = row_of<std::uint32_t>("column_sums", "sums of the columns of a row-major matrix",
                                   program, reference);
  row.variants = {variant("lane", "a lane for each column"),
                  variant("atomic", "a lane for 64 rows of a column, then atomics")};
  row.io = io_of("n/b", 1);
  row.parameters = {parameter("columns", "elements of a row; the last row may be shorter", 1000)};
  return row;
}

}  // namespace zoo
