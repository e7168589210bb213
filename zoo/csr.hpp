#pragma once

#include "graph.hpp"

namespace zoo {

/// How many edges of a graph end at each vertex: an atomic for each edge.
struct DegreeCount {
  static constexpr const char* name = "degree_count";
  std::int32_t n;

  template <class Mp, class Places, class View>
  AGPUSIM_FN void operator()(Mp& mp, Places columns, View degrees) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { degrees.atomic_add(columns.read(i), mp.varying(1u)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm degree_count() {
  const auto program = [](auto& run) {
    const std::int64_t n = run.n();
    const auto columns = run.upload(n, "columns", [n] { return columns_of(n); });
    const auto degrees = run.upload(rows_of(n), "degrees", [n] { return zeros(rows_of(n)); });
    run.launch(run.tasks_of(run.width()), DegreeCount{length(run)}, columns, degrees);
    run.result(degrees);
  };
  const auto reference = [](const auto& in) {
    const auto n = static_cast<std::int64_t>(in.size());
    auto degrees = zeros(rows_of(n));
    for (const std::int32_t column : columns_of(n)) ++degrees[static_cast<std::size_t>(column)];
    return degrees;
  };
  return row_of<std::uint32_t>("degree_count", "edges that end at each vertex of a graph", program,
                               reference);
}

/// The largest number at the neighbours of each vertex: 4 lanes for each.
struct NeighbourMax {
  static constexpr const char* name = "neighbour_max";
  std::int32_t vertices;

  template <class Mp, class Places, class View>
  AGPUSIM_FN void operator()(Mp& mp, Places starts, Places columns, View x, View out) const {
    const auto vertex = global_index(mp) / 4;
    const auto lane = mp.lane() % 4;
    auto largest = mp.varying(0.0F);
    mp.when(vertex < vertices, [&] {
      auto i = starts.read(vertex) + lane;
      const auto end = starts.read(vertex + 1);
      mp.while_any([&] { return i < end; },
                   [&] {
                     largest = agpusim::max(largest, x.read(columns.read(i)));
                     i = i + 4;
                   });
    });
    for (std::int32_t d = 2; d > 0; d /= 2) {
      largest = agpusim::max(largest, mp.shuffle(largest, (mp.lane() % 32) ^ d));
    }
    mp.when(lane == 0 && vertex < vertices, [&] { out.write(vertex, largest); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm neighbour_max() {
  const auto program = [](auto& run) {
    const std::int64_t n = run.n();
    const std::int64_t vertices = rows_of(n);
    const auto x = run.input();
    const auto starts = run.upload(vertices + 1, "starts", [n] { return row_starts(n); });
    const auto columns = run.upload(n, "columns", [n] { return columns_of(n); });
    const auto out = run.array(vertices, "largest");
    run.launch(ceil_div(vertices * 4, run.width()),
               NeighbourMax{static_cast<std::int32_t>(vertices)}, starts, columns, x, out);
    run.result(out);
  };
  const auto reference = [](const auto& x) {
    const auto n = static_cast<std::int64_t>(x.size());
    const auto starts = row_starts(n);
    const auto columns = columns_of(n);
    std::vector<float> out(starts.size() - 1, 0.0F);
    for (std::size_t vertex = 0; vertex < out.size(); ++vertex) {
      for (std::int32_t i = starts[vertex]; i < starts[vertex + 1]; ++i) {
        const auto neighbour = static_cast<std::size_t>(columns[static_cast<std::size_t>(i)]);
        out[vertex] = std::max(out[vertex], x[neighbour]);
      }
    }
    return out;
  };
  return row_of<float>("neighbour_max", "the largest number at the neighbours of vertices", program,
                       reference);
}

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
