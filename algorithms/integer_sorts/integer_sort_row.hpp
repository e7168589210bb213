#pragma once

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"

namespace agpusim {

/// What the rows of the H-P sorts share: variants (where the first histogram counts), inputs,
/// parameters, checks, reference and lower bound. The rest is to be filled in. `io` is what Q has
/// besides the first histogram, `time` what T has besides it and a few passes over keys and values.
[[nodiscard]] Algorithm integer_sort_row(const Bound& io, const Bound& time = {});

}  // namespace agpusim
