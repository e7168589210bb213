#pragma once

#include <optional>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/predict/residency.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// The cost of one simulated run beside derived counts, formulas, bounds and the predicted time.
[[nodiscard]] report::Report to_report(const Algorithm& algorithm, const RunConfig& config,
                                       const RunResult& result,
                                       const std::optional<RunReport>& derived,
                                       const LowerBound& bound, const PredictedRun& predicted);

}  // namespace agpusim
