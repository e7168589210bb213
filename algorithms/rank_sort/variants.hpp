#pragma once

#include <vector>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim::rank_sort {

/// The variants on AGPU. The blocks that the scatter of sorted keys touches, at most n, are part of
/// every Q.
[[nodiscard]] std::vector<Variant> variants();

}  // namespace agpusim::rank_sort
