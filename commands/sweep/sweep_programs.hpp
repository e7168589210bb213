#pragma once

#include <vector>

#include "agpusim/validation/rows/selection.hpp"

namespace agpusim {

/// Every run of the sweep of a selection, in an order that depends on nothing else: programs on
/// AGPU first. With `same_program`, parameters by default are those of the largest p. Throws
/// UsageError when no program on AGPU, or on a PRAM, can run.
[[nodiscard]] std::vector<Run> sweep_runs(const Selection& selection, bool same_program);

}  // namespace agpusim
