#pragma once

#include "agpusim/validation/experiments/out_of_core/experiment.hpp"
#include "agpusim/validation/json/json.hpp"

namespace agpusim::out_of_core::detail {

/// The experiment as the page and --json have it; times in seconds, charts as SVG.
[[nodiscard]] agpusim::detail::Json encode(const MiuraExperiment& experiment);

}  // namespace agpusim::out_of_core::detail
