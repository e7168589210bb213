#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim::multiway_merge_sort {

/// The parameters of a run.
struct Shape {
  std::int64_t n = 0;
  std::int32_t rows = 1;        ///< of V keys in a buffer
  std::int32_t tile = 0;        ///< keys of a base run
  std::int32_t levels = 1;      ///< lg d, rounded up
  std::int32_t region = 0;      ///< R, keys; 0: groups are not cut
  bool double_buffers = false;  ///< buffers of 2B keys, filled from the top down
};

[[nodiscard]] Shape shape_of(const RunConfig& config);

/// lg of the runs of a group when runs have `run` keys: in the last round all runs are one group.
[[nodiscard]] inline std::int32_t levels_of_round(const Shape& shape, std::int64_t run) {
  const auto runs = static_cast<std::uint64_t>((shape.n + run - 1) / run);
  return std::min(shape.levels, static_cast<std::int32_t>(std::bit_width(runs - 1)));
}

/// Calls `f` with `rows` as a constant.
template <class F>
auto with_rows(std::int32_t rows, F f) {
  switch (rows) {
    case 1:
      return f(std::integral_constant<std::int32_t, 1>{});
    case 2:
      return f(std::integral_constant<std::int32_t, 2>{});
    case 4:
      return f(std::integral_constant<std::int32_t, 4>{});
    default:
      return f(std::integral_constant<std::int32_t, 8>{});
  }
}

}  // namespace agpusim::multiway_merge_sort
