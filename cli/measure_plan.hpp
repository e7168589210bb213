#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/cli/assignments.hpp"

namespace agpusim {

/// What to measure. Sizes outside [n_min, n_max] are left out.
struct PlanOptions {
  /// Rows, and for times their peers; empty: every row of the registry.
  std::vector<std::string> algorithms = {};
  std::int64_t n_min = 1;
  std::int64_t n_max = std::int64_t{1} << 40;
  std::vector<std::string> variants = {};  ///< empty: every variant of a row
  std::vector<std::string> machines = {};  ///< empty: a task per warp scheduler, CTA, resident warp
  std::vector<std::string> inputs = {};    ///< empty: the usual ones; else at every power of two
  Settings set = {};                       ///< parameters of all rows
};

/// Resolved runs in a fixed order: algorithm, variant, type, machine, input, n; peers last.
struct Plan {
  std::vector<RunConfig> configs;
  std::int64_t refused = 0;  ///< combinations that a row's check refuses, e.g. M too small
};

/// Times: powers of two and one odd size per decade for the default input, the other inputs at
/// 2^20. Peers have those of their row, on the default machine.
[[nodiscard]] Plan timing_plan(const Registry& registry, const PlanOptions& options);

/// The runs of `configs` whose algorithm, variant and size are wanted, in their order.
[[nodiscard]] Plan repeated_plan(const std::vector<RunConfig>& configs, const PlanOptions& options);

/// Counters: 2^12 ... 2^20 and three odd sizes for the default input.
[[nodiscard]] Plan profile_plan(const Registry& registry, const PlanOptions& options);

}  // namespace agpusim
