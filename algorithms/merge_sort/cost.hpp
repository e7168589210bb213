#pragma once

#include <vector>

#include "agpusim/model/run/run.hpp"

namespace agpusim::multiway_merge_sort {

/// The closed form of a run: where the cuts of the regions decide, the keys are looked at.
[[nodiscard]] std::vector<PhaseForm> closed_form(const RunConfig& config);

/// The closed form of evenly spread keys, without looking at them: each run of a group holds every
/// 2^levels-th key of it.
[[nodiscard]] std::vector<PhaseForm> form_of_even_keys(const RunConfig& config);

}  // namespace agpusim::multiway_merge_sort
