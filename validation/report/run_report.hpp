#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/counts/compare_reports.hpp"
#include "agpusim/validation/predict/residency.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// The cost of any program: all counts, then those of each phase, then, where the report has them,
/// of each source line. The text of a line is looked up in `folders` first.
[[nodiscard]] std::vector<report::Section> cost_sections(
    const RunReport& report, const std::vector<std::string>& folders = {});
/// What pages show first of them.
[[nodiscard]] std::vector<report::Fact> cost_cards(const RunReport& report);
/// The source line with the most time units, and what all time units are; nothing without lines.
[[nodiscard]] report::Answer costliest_line(const RunReport& report);
/// The predicted time, what limits it and the device; or why there is none.
[[nodiscard]] std::vector<report::Fact> prediction_facts(const PredictedRun& predicted);

/// The cost of one simulated run beside what derived counts differ in, where there are such,
/// formulas, bounds and the predicted time.
[[nodiscard]] report::Report to_report(const Algorithm& algorithm, const RunConfig& config,
                                       const RunResult& result,
                                       const std::optional<CountDifferences>& derived,
                                       const LowerBound& bound, const PredictedRun& predicted);

}  // namespace agpusim
