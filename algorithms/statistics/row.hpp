#pragma once

#include <string>
#include <vector>

#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/statistics/program.hpp"
#include "agpusim/algorithms/statistics/task_cost.hpp"

// What the rows `minmax` and `statistics` share.
namespace agpusim::statistics {

/// Fills in inputs, parameters and lower bound.
void describe(Algorithm& row);

/// Throws UsageError where M is too small for V records of so many fields, the segments too long
/// for 32-bit indices, or a serial run too long; and what a policy for integers refuses.
void check_machine(const RunConfig& config, const PolicyCost& policy, bool serial);

/// Runs on the abstract machine.
template <class T, class Moments, bool serial>
[[nodiscard]] RunResult simulate(const RunConfig& config, const SimulationOptions& options) {
  SimulatedDevice device(config.spec, options);
  Program<SimulatedDevice, T, Moments, serial> program(device, config);
  RunResult result = finish_simulation(device, program, expected_checksum<T, Moments>(config));
  const Summary<T> summary = program.summary();
  result.values = extreme_values(summary);
  if constexpr (Moments::fields > 0) {
    for (NamedValue& value : moment_values(summary)) result.values.push_back(std::move(value));
  }
  return result;
}

[[nodiscard]] std::vector<PhaseForm> closed_form(const RunConfig& config, const PolicyCost& policy,
                                                 bool serial);

}  // namespace agpusim::statistics
