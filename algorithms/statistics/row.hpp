#pragma once

#include <string>
#include <vector>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/statistics/program.hpp"
#include "agpusim/algorithms/statistics/task_cost.hpp"

// What the rows `minmax` and `statistics` share.
namespace agpusim::statistics {

/// Fills in types, inputs, parameters, bounds and lower bound.
void describe(Algorithm& row);

/// The variant in which one lane does it all.
[[nodiscard]] Variant one_lane();

/// Throws UsageError where M is too small for V records of so many fields, the segments too long
/// for 32-bit indices, or a serial run too long; and what a policy for integers refuses.
void check_machine(const RunConfig& config, const PolicyCost& policy, bool serial);

[[nodiscard]] std::vector<PhaseForm> closed_form(const RunConfig& config, const PolicyCost& policy,
                                                 bool serial);

}  // namespace agpusim::statistics
