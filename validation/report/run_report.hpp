#pragma once

#include <optional>
#include <string>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

/// The cost of one simulated run beside derived counts, formulas and bounds, for a reader at a
/// terminal.
[[nodiscard]] std::string cost_sheet_text(const Algorithm& algorithm, const RunConfig& config,
                                          const RunResult& result,
                                          const std::optional<RunReport>& derived,
                                          const LowerBound& bound);

/// The same as JSON, with every phase and every field of the counts.
[[nodiscard]] std::string cost_sheet_json(const Algorithm& algorithm, const RunConfig& config,
                                          const RunResult& result,
                                          const std::optional<RunReport>& derived,
                                          const LowerBound& bound);

}  // namespace agpusim
