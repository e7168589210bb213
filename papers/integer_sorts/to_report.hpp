#pragma once

#include <vector>

#include "agpusim/papers/integer_sorts/experiment.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// The times of every input, a table and a plot per family of keys; what the paper says and what
/// became of it; how often the winner is predicted. Times in milliseconds.
[[nodiscard]] report::Report to_report(const contest::Contest& contest);

/// One per family of keys that has times: a panel per pair of delta, sigma or len, time over n,
/// marks measured, lines predicted (solid: from counts; dashed: calibrated).
[[nodiscard]] std::vector<detail::Plot> plots(const std::vector<contest::Event>& inputs);

}  // namespace agpusim
