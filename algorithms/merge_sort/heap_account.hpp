#pragma once

#include <vector>

#include "agpusim/model/run/run.hpp"

namespace agpusim::multiway_merge_sort {

/// Section 5.2 of seed 001 in the rounds of a run: what a heap of d runs costs to fill and for each
/// fetch, where two rounds of merges have one d; and T beyond an even share of the multiprocessors,
/// the second term of 5.2.1.
[[nodiscard]] std::vector<NamedValue> heap_account(const RunConfig& config,
                                                   const RunReport& report);

}  // namespace agpusim::multiway_merge_sort
