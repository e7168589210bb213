#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "agpusim/model/run/run.hpp"

namespace agpusim::multiway_merge_sort {

/// The parameters of a run.
struct Shape {
  std::int64_t n = 0;
  std::int32_t rows = 1;        ///< rows of V keys in a buffer
  std::int32_t tile = 0;        ///< keys of a base run
  std::int32_t registers = 2;   ///< registers of a lane that sorts base runs
  std::int32_t levels = 1;      ///< lg d, rounded up
  std::int32_t region = 0;      ///< R, keys; 0: groups are not cut
  bool double_buffers = false;  ///< buffers of 2B keys, filled from the top down
  std::int32_t runs = 1;        ///< most runs that rounds of merges leave
  std::int32_t pivots = 0;      ///< rho, of each of these runs
};

[[nodiscard]] Shape shape_of(const RunConfig& config);

/// Runs of `run` keys.
[[nodiscard]] inline std::int64_t runs_of(const Shape& shape, std::int64_t run) {
  return (shape.n + run - 1) / run;
}

/// lg of the runs of a group when runs have `run` keys: in the last round no more than it takes to
/// leave shape.runs runs.
[[nodiscard]] inline std::int32_t levels_of_round(const Shape& shape, std::int64_t run) {
  const auto others = static_cast<std::uint64_t>((runs_of(shape, run) - 1) / shape.runs);
  return std::min(shape.levels, static_cast<std::int32_t>(std::bit_width(others)));
}

/// Calls `f` with `rows` as a constant.
template <class F>
auto with_rows(std::int32_t rows, F f) {
  switch (rows) {
    case 1:
      return f(std::integral_constant<std::int32_t, 1>{});
    case 2:
      return f(std::integral_constant<std::int32_t, 2>{});
    default:
      return f(std::integral_constant<std::int32_t, 4>{});
  }
}

/// Calls `f` with `registers`, a power of two from 2 to 32, as a constant.
template <class F>
void with_registers(std::int32_t registers, F f) {
  switch (registers) {
    case 2:
      return f(std::integral_constant<std::int32_t, 2>{});
    case 4:
      return f(std::integral_constant<std::int32_t, 4>{});
    case 8:
      return f(std::integral_constant<std::int32_t, 8>{});
    case 16:
      return f(std::integral_constant<std::int32_t, 16>{});
    default:
      return f(std::integral_constant<std::int32_t, 32>{});
  }
}

/// The shared memory of a heap over 2^levels runs.
struct HeapShape {
  std::int64_t buffer = 0;  ///< B, keys
  std::int32_t levels = 0;
  std::int64_t width = 0;  ///< V

  /// With buffers of B keys, `words` each (HeapMerge).
  [[nodiscard]] std::int64_t words(const AgpuSpec& spec, std::int64_t words) const {
    const std::int64_t leaves = std::int64_t{1} << levels;
    return ((leaves + 1) * buffer + 2 * leaves + width) * words +
           2 * leaves * spec.words_per_element(4);
  }
  /// With buffers of 2B keys (DoubleHeap).
  [[nodiscard]] std::int64_t double_words(const AgpuSpec& spec, std::int64_t words) const {
    const std::int64_t leaves = std::int64_t{1} << levels;
    return (2 * (leaves - 1) * buffer + 2 * leaves) * words +
           2 * leaves * spec.words_per_element(4);
  }
};

}  // namespace agpusim::multiway_merge_sort
