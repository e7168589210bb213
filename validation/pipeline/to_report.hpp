#pragma once

#include <string>

#include "agpusim/validation/pipeline/plan.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::out_of_core {

/// Time and bound, engines, steps, a chart, and for programs every operation
/// (docs/reference/pipeline.md).
[[nodiscard]] report::Report to_report(const Plan& plan);

/// The same as a page with a chart and the time over the size of chunks.
[[nodiscard]] std::string to_page(const Plan& plan);

}  // namespace agpusim::out_of_core
