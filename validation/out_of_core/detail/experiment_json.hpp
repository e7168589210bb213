#pragma once

#include "agpusim/validation/detail/json.hpp"
#include "agpusim/validation/out_of_core/experiment.hpp"

namespace agpusim::out_of_core::detail {

/// The experiment as the page and --json have it; times in seconds, charts as SVG.
[[nodiscard]] agpusim::detail::Json encode(const MiuraExperiment& experiment);

}  // namespace agpusim::out_of_core::detail
