#pragma once

#include <string>
#include <vector>

#include "agpusim/validation/rows/row.hpp"

namespace agpusim {

/// What was counted of a run, beside what its row states of it. Of several formulas of one count
/// the first, or one that differs.
[[nodiscard]] std::vector<Quantity> quantities_of(const Algorithm& algorithm,
                                                  const RunConfig& config, const RunReport& report,
                                                  const LowerBound& lower);

/// What is wrong with a row: counts that a simulation refutes, formulas that differ, lower bounds
/// that are undercut; a sentence each. Estimates refute nothing.
[[nodiscard]] std::vector<std::string> faults_of(const Row& row);

/// Throws Mismatch that names every program and size with a fault.
void require_no_faults(const std::vector<const Row*>& rows);

}  // namespace agpusim
