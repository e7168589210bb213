#pragma once

#include <agpusim/agpusim.hpp>
#include <cstdint>
#include <vector>

#include "row_total.hpp"

namespace examples {

/// (x - mean) / sqrt(variance + 1e-5) · scale + shift of each row, a task for each; Ba, Kiros and
/// Hinton, arXiv 1607.06450.
struct LayerNorm : OfRows {
  static constexpr const char* name = "layer_norm";
  static constexpr bool oblivious = true;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View scale, View shift, View out) const {
    const auto from = in.from(mp.task() * columns);
    const auto to = out.from(mp.task() * columns);
    const auto mean_tile = total_tile(mp, "mean");
    const auto variance_tile = total_tile(mp, "variance");
    const auto plus = [](const auto& x, const auto& y) { return x + y; };
    const float share = 1.0F / static_cast<float>(columns);
    auto sum = mp.varying(0.0F);
    agpusim::for_lanes(mp, columns, [&](const auto& i) { sum = sum + from.read(i); });
    const auto mean = row_total(mp, sum, mean_tile, plus) * share;
    auto squares = mp.varying(0.0F);
    agpusim::for_lanes(mp, columns, [&](const auto& i) {
      const auto off = from.read(i) - mean;
      squares = squares + off * off;
    });
    const auto factor = agpusim::rsqrt(row_total(mp, squares, variance_tile, plus) * share + 1e-5F);
    agpusim::for_lanes(mp, columns, [&](const auto& i) {
      to.write(i, (from.read(i) - mean) * factor * scale.read(i) + shift.read(i));
    });
  }
};

[[nodiscard]] inline float scale_of(std::size_t column) {
  return 1.0F + static_cast<float>(column % 7) * 0.125F;
}
[[nodiscard]] inline float shift_of(std::size_t column) {
  return static_cast<float>(column % 5) * 0.5F;
}

[[nodiscard]] inline agpusim::OwnAlgorithm layer_norm() {
  const auto program = [](auto& run) {
    const std::int64_t columns = run.parameter("columns");
    const auto each_column = [columns](float (*of)(std::size_t)) {
      return [columns, of] {
        std::vector<float> values(static_cast<std::size_t>(columns));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = of(i);
        return values;
      };
    };
    const auto in = run.input();
    const auto scale = run.upload(columns, "scale", each_column(scale_of));
    const auto shift = run.upload(columns, "shift", each_column(shift_of));
    const auto out = run.array(run.n(), "out");
    run.launch(run.tasks_of(columns), LayerNorm{of_rows(run)}, in, scale, shift, out);
    run.result(out);
  };
  const auto reference = [](auto numbers, const agpusim::RunConfig& run) {
    const auto columns = static_cast<std::size_t>(run.parameters.at("columns"));
    const auto width = static_cast<std::size_t>(run.spec.width);
    const auto b = static_cast<std::size_t>(run.spec.block_words);
    const float share = 1.0F / static_cast<float>(columns);
    const auto plus = [](float x, float y) { return x + y; };
    for (std::size_t first = 0; first < numbers.size(); first += columns) {
      float* const x = &numbers[first];
      std::vector<float> sums(width, 0.0F);
      for (std::size_t i = 0; i < columns; ++i) sums[i % width] += x[i];
      const float mean = total_of(sums, b, plus) * share;
      std::vector<float> squares(width, 0.0F);
      for (std::size_t i = 0; i < columns; ++i) squares[i % width] += (x[i] - mean) * (x[i] - mean);
      const float factor = agpusim::rsqrt(total_of(squares, b, plus) * share + 1e-5F);
      for (std::size_t i = 0; i < columns; ++i) {
        x[i] = (x[i] - mean) * factor * scale_of(i) + shift_of(i);
      }
    }
    return numbers;
  };
  auto row = agpusim::algorithm<float>("layer_norm", program, reference);
  row.summary = "each row with mean 0 and variance 1, then scaled and shifted";
  row.io = {"6n/b", [](const agpusim::RunConfig& run) {
              return 6.0 * static_cast<double>(run.n) / run.spec.block_words;
            }};
  takes_rows(row);
  return row;
}

}  // namespace examples
