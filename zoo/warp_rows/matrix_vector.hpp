#pragma once

#include "../common.hpp"

namespace zoo {

/// The product of a matrix and a vector, a warp for each row.
struct MatrixVector {
  static constexpr const char* name = "matrix_vector";
  std::int32_t n;
  std::int32_t columns;
  std::int32_t rows;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View matrix, View x, View y) const {
    const auto lane = mp.lane() % 32;
    const auto row = global_index(mp) / 32;
    auto sum = mp.varying(0.0F);
    mp.when(row < rows, [&] {
      for (std::int32_t c = 0; c < columns; c += 32) {
        const auto column = lane + c;
        const auto i = row * columns + column;
        mp.when(column < columns && i < n, [&] { sum = sum + matrix.read(i) * x.read(column); });
      }
    });
    for (std::int32_t d = 16; d > 0; d /= 2) sum = sum + mp.shuffle(sum, lane ^ d);
    mp.when(lane == 0 && row < rows, [&] { y.write(row, sum); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm matrix_vector() {
  const auto program = [](auto& run) {
    const std::int32_t columns = setting(run, "columns");
    const std::int64_t rows = run.tasks_of(columns);
    const auto matrix = run.input();
    const auto x = run.upload(columns, "x", [columns] { return numbers(columns); });
    const auto y = run.array(rows, "y");
    run.launch(ceil_div(rows * 32, run.width()),
               MatrixVector{length(run), columns, static_cast<std::int32_t>(rows)}, matrix, x, y);
    run.result(y);
  };
  const auto reference = [](const auto& matrix, const agpusim::RunConfig& run) {
    const std::size_t columns = setting(run, "columns");
    const auto x = numbers(static_cast<std::int64_t>(columns));
    std::vector<float> y;
    for (std::size_t first = 0; first < matrix.size(); first += columns) {
      std::vector<float> lanes(32, 0.0F);
      for (std::size_t c = 0; c < std::min(columns, matrix.size() - first); ++c) {
        lanes[c % 32] += matrix[first + c] * x[c];
      }
      y.push_back(butterfly(lanes));
    }
    return y;
  };
  auto row = row_of<float>("matrix_vector", "a matrix times a vector", program, reference);
  row.io = io_of("2n/b", 2);
  row.parameters = {parameter("columns", "elements of a row; the last row may be shorter", 512)};
  return row;
}

}  // namespace zoo
