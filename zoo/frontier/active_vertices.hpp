#pragma once

#include "../graph.hpp"

namespace zoo {

/// Marks the neighbours of active vertices, one in 8, and counts the edges in a global counter.
struct ActiveVertices {
  static constexpr const char* name = "active_vertices";
  std::int32_t vertices;

  template <class Mp, class Places, class View>
  AGPUSIM_FN void operator()(Mp& mp, Places starts, Places columns, View in, View marks) const {
    const auto vertex = global_index(mp);
    mp.when(vertex < vertices, [&] {
      mp.when((in.read(vertex) & 7u) == 0u, [&] {
        auto i = starts.read(vertex);
        const auto end = starts.read(vertex + 1);
        marks.atomic_add(mp.varying(0), agpusim::cast<std::uint32_t>(end - i));
        mp.while_any([&] { return i < end; },
                     [&] {
                       marks.atomic_max(columns.read(i) + 1, mp.varying(1u));
                       i = i + 1;
                     });
      });
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm active_vertices() {
  const auto program = [](auto& run) {
    const std::int64_t n = run.n();
    const std::int64_t vertices = rows_of(n);
    const auto in = run.input();
    const auto starts = run.upload(vertices + 1, "starts", [n] { return row_starts(n); });
    const auto columns = run.upload(n, "columns", [n] { return columns_of(n); });
    const auto marks = run.upload(vertices + 1, "marks", [=] { return zeros(vertices + 1); });
    run.launch(ceil_div(vertices, run.width()), ActiveVertices{static_cast<std::int32_t>(vertices)},
               starts, columns, in, marks);
    run.result(marks);
  };
  const auto reference = [](const auto& in) {
    const auto n = static_cast<std::int64_t>(in.size());
    const auto starts = row_starts(n);
    const auto columns = columns_of(n);
    auto marks = zeros(rows_of(n) + 1);
    for (std::size_t vertex = 0; vertex + 1 < starts.size(); ++vertex) {
      if (in[vertex] % 8 != 0) continue;
      for (std::int32_t i = starts[vertex]; i < starts[vertex + 1]; ++i) {
        marks[static_cast<std::size_t>(columns[static_cast<std::size_t>(i)]) + 1] = 1;
        ++marks[0];
      }
    }
    return marks;
  };
  return row_of<std::uint32_t>("active_vertices", "marks the neighbours of some vertices", program,
                               reference);
}

}  // namespace zoo
