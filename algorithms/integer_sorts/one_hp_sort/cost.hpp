#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::one_hp_sort {

/// The closed form of PlaceRunHeads over the given prefix sums, for keys without duplicates where
/// `refuse_duplicates`. I/O: 3R/b reads (Ap[v-1] is not aligned) and at most (n+R)/b writes.
[[nodiscard]] PhaseForm run_heads_form(const AgpuSpec& spec, const Cut& cut,
                                       const std::vector<std::int32_t>& prefixes,
                                       bool refuse_duplicates);

}  // namespace agpusim::one_hp_sort
