#pragma once

#include <vector>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim::rank_sort {

/// The variants on AGPU. Every Q has the scatter's blocks, at most n.
[[nodiscard]] std::vector<Variant> variants();

}  // namespace agpusim::rank_sort
