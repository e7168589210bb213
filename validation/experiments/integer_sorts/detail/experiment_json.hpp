#pragma once

#include <vector>

#include "agpusim/validation/experiments/integer_sorts/experiment.hpp"
#include "agpusim/validation/report/plot_data.hpp"

namespace agpusim::detail {

/// One per family of keys that has times: a panel per pair of delta, sigma or len, time over n,
/// marks measured, lines predicted (solid: from counts; dashed: calibrated).
[[nodiscard]] std::vector<Plot> plots(const Experiment& experiment);

/// Everything but the plots.
[[nodiscard]] Json encode(const Experiment& experiment);

}  // namespace agpusim::detail
