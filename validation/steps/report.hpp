#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/model/agpu/step_trace.hpp"
#include "agpusim/model/pram/report.hpp"
#include "agpusim/model/pram/trace.hpp"
#include "agpusim/model/run/run.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// A recorded run to step through: on an AGPU or on a PRAM.
struct SteppedRun {
  std::string title;    ///< what ran, in one line
  std::string machine;  ///< on which machine, in one line
  std::string variant;
  std::int64_t n = 0;
  std::optional<StepTrace> agpu = {};
  RunReport report = {};  ///< costs of the whole AGPU run, unless it ended by a violation
  std::optional<PramTrace> pram = {};
  std::string violation;  ///< the broken rule that ended the run
  std::string limits = "--limit, --phase, --task, --accesses";  ///< the options that record more
};

/// The step that a user calls `number`: of a PRAM from 1. Throws UsageError where none was
/// recorded, and for one behind the last.
[[nodiscard]] std::int64_t recorded_step(const SteppedRun& run, std::int64_t number);

/// Every recorded step on a line of its own: values by lane or processor, cost, source. `at` adds
/// the memory after that step; only a few steps around it are then printed.
[[nodiscard]] std::string step_text(const SteppedRun& run, std::optional<std::int64_t> at = {});

/// How much of the run is recorded, where it is not all; else empty.
[[nodiscard]] std::string left_out(const SteppedRun& run);

/// All that is recorded, for JSON and CSV.
[[nodiscard]] report::Report step_report(const std::vector<SteppedRun>& runs);

/// The memory after a step as an image (SVG), with what the step accesses; steps as in step_text.
[[nodiscard]] std::string step_svg(const SteppedRun& run, std::int64_t step);

/// All as one page that needs no network, in which one chooses among the runs.
[[nodiscard]] std::string step_page(const std::vector<SteppedRun>& runs);

}  // namespace agpusim
