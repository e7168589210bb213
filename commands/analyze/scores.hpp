#pragma once

#include <vector>

#include "agpusim/commands/analyze/analysis.hpp"

namespace agpusim {

/// One score per algorithm and variant.
[[nodiscard]] std::vector<Score> scores_of(const std::vector<AnalysisGroup>& groups);

/// One score per family.
[[nodiscard]] std::vector<Score> scores_of_families(const std::vector<AnalysisGroup>& groups);

/// The machine with the largest median error of each algorithm and variant, at most five whose
/// median error is above 10 %, the worst first. The reason is read off the parts of the prediction.
[[nodiscard]] std::vector<WorstMachine> worst_machines(const std::vector<AnalysisGroup>& groups);

}  // namespace agpusim
