#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/report.hpp"
#include "agpusim/model/pram/brent.hpp"
#include "agpusim/model/pram/run.hpp"
#include "agpusim/model/pram/work_span.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// One run on a PRAM with what was computed from its trace.
struct PramSheet {
  RunConfig config = run_on_pram();
  Variant variant;
  std::string summary;  ///< summary of the algorithm
  PramRunResult result;
  PramForm form;
  std::optional<BrentSchedule> schedule;
  /// Schedule on a Sum-CRCW PRAM that cannot accumulate.
  std::optional<BrentSchedule> schedule_without_accumulate;
  std::optional<WorkSpan> work_span;
  std::optional<RunReport> agpu;  ///< a phase per step
};

/// What differs between a run and its closed form, one text each ("steps: 3, closed form 2");
/// nothing when all is equal.
[[nodiscard]] std::vector<std::string> compare_with_closed_form(const PramReport& report,
                                                                const PramForm& form);

/// Throws Mismatch that names the run when its output is not the reference's or a count is not the
/// closed form's.
void require_equal(const std::string& run, const PramReport& report, const Differences& wrong,
                   const PramForm& form);

/// Which step takes most time on the AGPU, and why: a sentence for a reader. Empty without phases.
[[nodiscard]] std::string costliest_step_text(const RunReport& agpu);

/// Costs and every step; schedule, work and span, and the price on AGPU where they were computed.
[[nodiscard]] report::Report to_report(const PramSheet& sheet);

}  // namespace agpusim
