#pragma once

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"

namespace agpusim {

/// What the rows of the H-P sorts share: variants (where the first histogram counts), inputs,
/// parameters, checks, reference and lower bound. The rest is to be filled in.
[[nodiscard]] Algorithm integer_sort_row();

}  // namespace agpusim
