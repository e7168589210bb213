#pragma once

#include "../graph.hpp"

namespace zoo {

/// One level of a breadth-first search: vertices of this level offer the next to their neighbours.
struct BfsLevel {
  static constexpr const char* name = "bfs_level";
  std::int32_t vertices;
  std::int32_t level;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View starts, View columns, View now, View then) const {
    const auto vertex = global_index(mp);
    mp.when(vertex < vertices, [&] {
      const auto mine = now.read(vertex);
      then.atomic_min(vertex, mine);
      mp.when(mine == level, [&] {
        auto i = starts.read(vertex);
        const auto end = starts.read(vertex + 1);
        mp.while_any([&] { return i < end; },
                     [&] {
                       then.atomic_min(columns.read(i), mp.varying(level + 1));
                       i = i + 1;
                     });
      });
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm bfs() {
  constexpr std::int32_t far = 1 << 30;
  const auto begin = [](std::int64_t vertices) {
    return vector_of(vertices, [](std::int64_t i) { return i == 0 ? 0 : far; });
  };
  const auto program = [begin](auto& run) {
    const std::int64_t n = run.n();
    const std::int64_t vertices = rows_of(n);
    const auto starts = run.upload(vertices + 1, "starts", [n] { return row_starts(n); });
    const auto columns = run.upload(n, "columns", [n] { return columns_of(n); });
    auto now = run.upload(vertices, "now", [=] { return begin(vertices); });
    auto then = run.upload(vertices, "then", [=] { return begin(vertices); });
    for (std::int32_t level = 0; level < setting(run, "levels"); ++level) {
      run.launch(ceil_div(vertices, run.width()),
                 BfsLevel{static_cast<std::int32_t>(vertices), level}, starts, columns, now, then);
      std::swap(now, then);
    }
    run.result(now);
  };
  const auto reference = [begin](const auto& in, const agpusim::RunConfig& run) {
    const auto n = static_cast<std::int64_t>(in.size());
    const auto starts = row_starts(n);
    const auto columns = columns_of(n);
    auto levels = begin(rows_of(n));
    for (std::int32_t level = 0; level < static_cast<std::int32_t>(setting(run, "levels"));
         ++level) {
      for (std::size_t vertex = 0; vertex < levels.size(); ++vertex) {
        if (levels[vertex] != level) continue;
        for (std::int32_t i = starts[vertex]; i < starts[vertex + 1]; ++i) {
          auto& other = levels[static_cast<std::size_t>(columns[static_cast<std::size_t>(i)])];
          other = std::min(other, level + 1);
        }
      }
    }
    return levels;
  };
  auto row = row_of<std::uint32_t>("bfs", "the first levels of a breadth-first search", program,
                                   reference);
  row.parameters = {parameter("levels", "levels, a launch for each", 6)};
  return row;
}

}  // namespace zoo
