#pragma once

#include "../common.hpp"

namespace zoo {

/// The sum of each row, a warp for each.
struct RowSums {
  static constexpr const char* name = "row_sums";
  std::int32_t n;
  std::int32_t columns;
  std::int32_t rows;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane() % 32;
    const auto row = global_index(mp) / 32;
    auto sum = mp.varying(0u);
    mp.when(row < rows, [&] {
      for (std::int32_t c = 0; c < columns; c += 32) {
        const auto i = row * columns + lane + c;
        mp.when(lane + c < columns && i < n, [&] { sum = sum + in.read(i); });
      }
    });
    for (std::int32_t d = 16; d > 0; d /= 2) sum = sum + mp.shuffle(sum, lane ^ d);
    mp.when(lane == 0 && row < rows, [&] { out.write(row, sum); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm row_sums() {
  const auto program = [](auto& run) {
    const std::int32_t columns = setting(run, "columns");
    const std::int64_t rows = run.tasks_of(columns);
    const auto in = run.input();
    const auto out = run.array(rows, "sums");
    run.launch(ceil_div(rows * 32, run.width()),
               RowSums{length(run), columns, static_cast<std::int32_t>(rows)}, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& x, const agpusim::RunConfig& run) {
    const std::size_t columns = setting(run, "columns");
    std::vector<std::uint32_t> sums((x.size() + columns - 1) / columns, 0);
    for (std::size_t i = 0; i < x.size(); ++i) sums[i / columns] += x[i];
    return sums;
  };
  auto row = row_of<std::uint32_t>("row_sums", "the sum of each row", program, reference);
  row.io = io_of("n/b", 1);
  row.parameters = {parameter("columns", "elements of a row; the last row may be shorter", 200)};
  return row;
}

}  // namespace zoo
