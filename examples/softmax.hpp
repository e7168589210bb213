#pragma once

#include <agpusim/agpusim.hpp>
#include <algorithm>
#include <cstdint>
#include <vector>

#include "row_total.hpp"

namespace examples {

/// A task for each row: its largest number, the sum of e^(x - largest), the quotients.
struct Softmax : OfRows {
  static constexpr const char* name = "softmax";
  static constexpr bool oblivious = true;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto from = in.from(mp.task() * columns);
    const auto to = out.from(mp.task() * columns);
    const auto largest_tile = total_tile(mp, "largest");
    const auto sum_tile = total_tile(mp, "sum");
    auto largest = mp.varying(-3.4e38F);
    agpusim::for_lanes(mp, columns, [&](const auto& i) { largest = max(largest, from.read(i)); });
    largest = row_total(mp, largest, largest_tile,
                        [](const auto& x, const auto& y) { return max(x, y); });
    auto sum = mp.varying(0.0F);
    agpusim::for_lanes(mp, columns,
                       [&](const auto& i) { sum = sum + agpusim::exp(from.read(i) - largest); });
    sum = row_total(mp, sum, sum_tile, [](const auto& x, const auto& y) { return x + y; });
    agpusim::for_lanes(mp, columns, [&](const auto& i) {
      to.write(i, agpusim::exp(from.read(i) - largest) / sum);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm softmax() {
  const auto program = [](auto& run) {
    const std::int64_t columns = run.parameter("columns");
    const auto in = run.input();
    const auto out = run.array(run.n(), "out");
    run.launch(run.tasks_of(columns), Softmax{of_rows(run)}, in, out);
    run.result(out);
  };
  const auto reference = [](auto numbers, const agpusim::RunConfig& run) {
    const auto columns = static_cast<std::size_t>(run.parameters.at("columns"));
    const auto width = static_cast<std::size_t>(run.spec.width);
    for (std::size_t first = 0; first < numbers.size(); first += columns) {
      float* const x = &numbers[first];
      const float largest = *std::max_element(x, x + columns);
      std::vector<float> lanes(width, 0.0F);
      for (std::size_t i = 0; i < columns; ++i) lanes[i % width] += agpusim::exp(x[i] - largest);
      const float sum = total_of(lanes, static_cast<std::size_t>(run.spec.block_words),
                                 [](float a, float b) { return a + b; });
      for (std::size_t i = 0; i < columns; ++i) x[i] = agpusim::exp(x[i] - largest) / sum;
    }
    return numbers;
  };
  auto row = agpusim::algorithm<float>("softmax", program, reference);
  row.summary = "softmax of each row";
  row.io = {"4n/b", [](const agpusim::RunConfig& run) {
              return 4.0 * static_cast<double>(run.n) / run.spec.block_words;
            }};
  takes_rows(row);
  return row;
}

}  // namespace examples
