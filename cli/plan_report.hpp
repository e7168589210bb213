#pragma once

#include <vector>

#include "agpusim/cli/plan_runner.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// A section per plan: how many runs were done, skipped and left, and a row per run.
[[nodiscard]] report::Report to_report(const std::vector<PlanResult>& results);

/// Ends a measurement: puts its report, then throws the first failure, or ends the process when
/// Ctrl-C was pressed.
void put_results(const std::vector<PlanResult>& results, const ReportOutput& output);

}  // namespace agpusim
