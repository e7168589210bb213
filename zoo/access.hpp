#pragma once

#include "common.hpp"

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

/// out[i] = in[index[i]].
struct Gather {
  static constexpr const char* name = "gather";
  std::int32_t n;

  template <class Mp, class Places, class View>
  AGPUSIM_FN void operator()(Mp& mp, Places index, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { out.write(i, in.read(index.read(i))); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm gather() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto index = run.upload(run.n(), "index", [n = run.n()] { return permutation(n); });
    const auto out = run.array(run.n(), "out");
    run.launch(run.tasks_of(run.width()), Gather{length(run)}, index, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& in) {
    const auto index = permutation(static_cast<std::int64_t>(in.size()));
    auto out = in;
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[static_cast<std::size_t>(index[i])];
    return out;
  };
  return row_of<std::uint32_t>("gather", "reads in random order", program, reference);
}

/// out[index[i]] = in[i], of a random permutation.
struct Permute {
  static constexpr const char* name = "permute";
  std::int32_t n;

  template <class Mp, class Places, class View>
  AGPUSIM_FN void operator()(Mp& mp, Places index, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { out.write(index.read(i), in.read(i)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm permute() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto index = run.upload(run.n(), "index", [n = run.n()] { return permutation(n); });
    const auto out = run.array(run.n(), "out");
    run.launch(run.tasks_of(run.width()), Permute{length(run)}, index, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& in) {
    const auto index = permutation(static_cast<std::int64_t>(in.size()));
    auto out = in;
    for (std::size_t i = 0; i < in.size(); ++i) out[static_cast<std::size_t>(index[i])] = in[i];
    return out;
  };
  return row_of<std::uint32_t>("permute", "writes in random order", program, reference);
}

/// out[i] = in[stride i mod n]: lanes of a warp read far from each other.
struct StridedCopy {
  static constexpr const char* name = "strided_copy";
  std::int32_t n;
  std::int32_t stride;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { out.write(i, in.read(i * stride % n)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm strided_copy() {
  const auto program = each_lane<StridedCopy>("out", "stride");
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    auto out = in;
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i * setting(run, "stride") % in.size()];
    return out;
  };
  auto row = row_of<std::uint32_t>("strided_copy", "a copy of every stride-th element", program,
                                   reference);
  row.parameters = {parameter("stride", "elements between neighbouring lanes", 17)};
  return row;
}

}  // namespace zoo
