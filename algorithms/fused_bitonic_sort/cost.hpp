#pragma once

#include <vector>

#include "agpusim/model/run/run.hpp"

namespace agpusim::fused_bitonic_sort {

/// The closed forms of all phases of a run.
[[nodiscard]] std::vector<PhaseForm> closed_form(const RunConfig& config);

}  // namespace agpusim::fused_bitonic_sort
