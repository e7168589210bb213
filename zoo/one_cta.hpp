#pragma once

#include "common.hpp"

namespace zoo {

/// Cheapest paths down a grid of V columns: each row adds to the cheapest of three above. One task
/// goes from row to row, with a barrier for each.
struct GridPath {
  static constexpr const char* name = "grid_path";
  static constexpr bool oblivious = true;
  std::int32_t n;
  std::int64_t shared;

  [[nodiscard]] std::int64_t shared_bytes() const { return shared; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int32_t V = mp.width();
    const auto rows = mp.template shared<std::uint32_t>(2 * V, "rows");
    const auto lane = mp.lane();
    auto cost = mp.varying(0u);
    std::int32_t row = 0;
    for (std::int32_t first = 0; first < n; first += V) {
      rows.write(lane + row, cost);
      mp.sync();
      const auto left = rows.read(agpusim::max(lane - 1, 0) + row);
      const auto right = rows.read(agpusim::min(lane + 1, V - 1) + row);
      cost = agpusim::min(cost, agpusim::min(left, right));
      mp.when(lane + first < n, [&] { cost = cost + (in.read(lane + first) & 255u); });
      row = V - row;
    }
    out.write(lane, cost);
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm grid_path() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.width(), "costs");
    run.launch(1, GridPath{length(run), std::int64_t{8} * run.width()}, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    auto costs = zeros(run.spec.width);
    for (std::size_t first = 0; first < in.size(); first += costs.size()) {
      const auto above = costs;
      for (std::size_t i = 0; i < costs.size(); ++i) {
        costs[i] = std::min(
            {above[i], above[i == 0 ? 0 : i - 1], above[std::min(i + 1, costs.size() - 1)]});
        if (first + i < in.size()) costs[i] += in[first + i] % 256;
      }
    }
    return costs;
  };
  return row_of<std::uint32_t>("grid_path", "cheapest paths down a grid, by one task", program,
                               reference, io_of("n/b", 1));
}

/// V chains x = 5 x + in[i] through the array, each of every V-th element, by one task.
struct Recurrence {
  static constexpr const char* name = "recurrence";
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    auto x = mp.varying(1u);
    auto i = mp.lane();
    mp.while_any([&] { return i < n; },
                 [&] {
                   x = x * 5u + in.read(i);
                   i = i + mp.width();
                 });
    out.write(mp.lane(), x);
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm recurrence() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.width(), "ends");
    run.launch(1, Recurrence{length(run)}, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    std::vector<std::uint32_t> ends(static_cast<std::size_t>(run.spec.width), 1);
    for (std::size_t i = 0; i < in.size(); ++i)
      ends[i % ends.size()] = ends[i % ends.size()] * 5 + in[i];
    return ends;
  };
  return row_of<std::uint32_t>("recurrence", "chains of dependent steps, by one task", program,
                               reference, io_of("n/b", 1));
}

}  // namespace zoo
