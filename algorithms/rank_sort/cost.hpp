#pragma once

#include <vector>

#include "agpusim/model/run/run.hpp"

namespace agpusim::rank_sort {

/// The closed form of a run's one phase; none where there is no key. It knows the keys' ranks,
/// which determine the blocks of the scatter.
[[nodiscard]] std::vector<PhaseForm> forms(const RunConfig& config);

}  // namespace agpusim::rank_sort
