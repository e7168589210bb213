#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

/// What simulating a row takes at any n, from two small sizes.
struct Growth {
  std::int64_t n = 0;          ///< the larger size
  double lane_operations = 0;  ///< there: issued warp instructions x b
  double seconds = 0;          ///< there, on this host
  double exponent = 1;         ///< of the power of n that lies between the two sizes
  /// Lane operations at another size; nothing where they depend on data.
  std::function<std::optional<double>(std::int64_t size)> derived = {};

  /// Derived, else by the power of n.
  [[nodiscard]] double lane_operations_at(std::int64_t size) const;
  [[nodiscard]] double seconds_at(std::int64_t size) const;
};

/// Simulates the run at n = 2^10, 2^12, ... up to `largest`, until a size takes `enough` seconds.
/// `wanted` has the chosen parameters only. Nothing where fewer than two sizes can run. The row
/// must outlive the result.
[[nodiscard]] std::optional<Growth> growth_of(const Algorithm& algorithm, const RunConfig& wanted,
                                              std::int64_t largest, double enough, int threads = 0);

/// The largest n = 2^k <= `most` that fits `limit` by `measure`, Growth::lane_operations_at or
/// seconds_at.
[[nodiscard]] std::int64_t affordable_n(const Growth& growth, std::int64_t most,
                                        double (Growth::*measure)(std::int64_t) const,
                                        double limit);

/// The same for the simulation of `wanted.n` elements, at sizes that take a small part of its time;
/// nothing where it is short.
[[nodiscard]] std::optional<Growth> growth_below(const Algorithm& algorithm,
                                                 const RunConfig& wanted, int threads);

/// What takes longer is announced.
inline constexpr double long_seconds = 60;

/// Says on standard error what a long simulation will take, and how to go on.
void announce_if_long(const Algorithm& algorithm, const RunConfig& wanted, int threads);

}  // namespace agpusim
