#pragma once

#include "common.hpp"

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
