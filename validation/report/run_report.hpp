#pragma once

#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

/// The cost of one simulated run beside its closed form and bounds, for a reader at a terminal.
[[nodiscard]] std::string cost_sheet_text(const Algorithm& algorithm, const RunConfig& config,
                                          const RunResult& result,
                                          const std::vector<PhaseForm>& forms,
                                          const LowerBound& bound);

/// The same as JSON, with every phase and every field of the counts.
[[nodiscard]] std::string cost_sheet_json(const Algorithm& algorithm, const RunConfig& config,
                                          const RunResult& result,
                                          const std::vector<PhaseForm>& forms,
                                          const LowerBound& bound);

}  // namespace agpusim
