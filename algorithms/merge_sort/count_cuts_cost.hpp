#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/merge_sort/cuts_cost.hpp"
#include "agpusim/algorithms/merge_sort/distribution.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::multiway_merge_sort {

/// A key that was taken out of its run, and its place.
struct PivotAt {
  std::uint64_t key = 0;
  std::int64_t place = 0;

  friend bool operator==(const PivotAt&, const PivotAt&) = default;
  friend auto operator<=>(const PivotAt&, const PivotAt&) = default;
};

/// The pivots of all runs in order; `key_at` gives the keys of the runs.
[[nodiscard]] std::vector<PivotAt> sorted_pivots(const Distribution& distribution,
                                                 const KeyAt& key_at);

/// CountCuts, the cuts found by a binary search in the whole run.
struct CountedCuts {
  PhaseForm form;
  std::vector<std::vector<std::int64_t>> cuts;  ///< by run and region
};
[[nodiscard]] CountedCuts count_cuts(const AgpuSpec& spec, std::int32_t rows,
                                     const Distribution& distribution, const KeyAt& key_at);

}  // namespace agpusim::multiway_merge_sort
