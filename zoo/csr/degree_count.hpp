#pragma once

#include "../graph.hpp"

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

}  // namespace zoo
