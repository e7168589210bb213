#pragma once

#include "../common.hpp"

namespace zoo {

/// The largest element of each short row, 8 lanes for each: four rows a warp.
struct RowMax {
  static constexpr const char* name = "row_max";
  std::int32_t n;
  std::int32_t columns;
  std::int32_t rows;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane() % 8;
    const auto row = global_index(mp) / 8;
    auto largest = mp.varying(-2147483647 - 1);
    mp.when(row < rows, [&] {
      for (std::int32_t c = 0; c < columns; c += 8) {
        const auto i = row * columns + lane + c;
        mp.when(lane + c < columns && i < n, [&] { largest = agpusim::max(largest, in.read(i)); });
      }
    });
    for (std::int32_t d = 4; d > 0; d /= 2) {
      largest = agpusim::max(largest, mp.shuffle(largest, (mp.lane() % 32) ^ d));
    }
    mp.when(lane == 0 && row < rows, [&] { out.write(row, largest); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm row_max() {
  const auto program = [](auto& run) {
    const std::int32_t columns = setting(run, "columns");
    const std::int64_t rows = run.tasks_of(columns);
    const auto in = run.input();
    const auto out = run.array(rows, "largest");
    run.launch(ceil_div(rows * 8, run.width()),
               RowMax{length(run), columns, static_cast<std::int32_t>(rows)}, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& x, const agpusim::RunConfig& run) {
    const std::size_t columns = setting(run, "columns");
    std::vector<std::int32_t> largest;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i % columns == 0) largest.push_back(x[i]);
      largest.back() = std::max(largest.back(), x[i]);
    }
    return largest;
  };
  auto row = row_of<std::int32_t>("row_max", "the largest of each short row", program, reference);
  row.io = io_of("n/b", 1);
  row.parameters = {parameter("columns", "elements of a row; the last row may be shorter", 24)};
  return row;
}

}  // namespace zoo
