#pragma once

#include <vector>

#include "agpusim/validation/pipeline/scheme.hpp"

namespace agpusim::out_of_core {

/// The programs for a scatter, the default first.
[[nodiscard]] std::vector<Scheme> scatter_schemes();

}  // namespace agpusim::out_of_core
