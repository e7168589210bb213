#pragma once

#include "agpusim/commands/compare/comparison.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::contest {

/// Per machine a table with every contestant at every n, who is ahead, where the order changes, and
/// how far the counts predict the measured order; times in milliseconds
/// (docs/reference/compare.md).
[[nodiscard]] report::Report to_report(const Comparison& comparison);

}  // namespace agpusim::contest
