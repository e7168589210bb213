#pragma once

#include "../graph.hpp"

namespace zoo {

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

}  // namespace zoo
