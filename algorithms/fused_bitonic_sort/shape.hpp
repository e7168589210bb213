#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "agpusim/model/run/run.hpp"

namespace agpusim::fused_bitonic_sort {

/// Keys that a lane may hold in registers: a power of two, from least_registers up to bytes_of_lane
/// in all.
inline constexpr std::int64_t least_registers = 4;
inline constexpr std::int64_t bytes_of_lane = 64;

[[nodiscard]] constexpr std::int32_t lg(std::int64_t power) {
  return static_cast<std::int32_t>(std::countr_zero(static_cast<std::uint64_t>(power)));
}

/// How a run sorts.
struct Shape {
  std::int64_t n = 0;          ///< keys
  std::int32_t tile_bits = 0;  ///< lg S
  std::int32_t task_bits = 0;  ///< lg of the keys of a task that needs no shared memory
  std::int32_t registers = 0;  ///< keys of a lane
  std::int32_t strides = 0;    ///< t, most of a global pass
};

/// The shape of a resolved run.
[[nodiscard]] inline Shape shape_of(const RunConfig& config) {
  const std::int64_t registers = config.parameters.at("registers");
  return {config.n, lg(config.parameters.at("tile")), lg(registers * config.spec.width),
          static_cast<std::int32_t>(registers),
          static_cast<std::int32_t>(config.parameters.at("strides"))};
}

/// Calls `f` with the number of registers as a constant, one that a Key allows.
template <class Key, class F>
auto with_registers(std::int32_t registers, F f) {
  constexpr auto most = static_cast<std::int32_t>(bytes_of_lane / sizeof(Key));
  if constexpr (most >= 16) {
    if (registers == 16) return f(std::integral_constant<std::int32_t, 16>{});
  }
  if (registers == 8) return f(std::integral_constant<std::int32_t, 8>{});
  return f(std::integral_constant<std::int32_t, 4>{});
}

}  // namespace agpusim::fused_bitonic_sort
