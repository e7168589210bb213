#pragma once

#include "agpusim/commands/pipeline/plan.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::out_of_core {

/// Time and bound, engines, steps, a chart, and for programs every operation
/// (docs/reference/pipeline.md).
[[nodiscard]] report::Report to_report(const Plan& plan);

}  // namespace agpusim::out_of_core
