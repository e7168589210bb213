#pragma once

#include "agpusim/validation/experiments/integer_sorts/experiment.hpp"
#include "agpusim/validation/json/json.hpp"

namespace agpusim::detail {

/// One object per family of keys that has times: "name", "title" and "spec", a Vega-Lite
/// specification with its data: a panel per pair of delta, sigma or len, time over n on log axes,
/// points with their spread measured, lines predicted (solid: from counts; dashed: calibrated).
[[nodiscard]] Json plots(const Experiment& experiment);

/// Everything but the plots.
[[nodiscard]] Json encode(const Experiment& experiment);

}  // namespace agpusim::detail
