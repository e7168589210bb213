#pragma once

#include <functional>
#include <vector>

#include "agpusim/algorithms/merge_sort/cuts_cost.hpp"
#include "agpusim/algorithms/merge_sort/distribution.hpp"
#include "agpusim/algorithms/merge_sort/groups.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::multiway_merge_sort {

/// The phases of a run of variant pivots from the distribution on. `key_at` gives the keys of the
/// runs to distribute, `merge_lists` the form of MergeGroups on pivots.
[[nodiscard]] std::vector<PhaseForm> forms_of_distribution(
    const RunConfig& config, const Distribution& distribution, const KeyAt& key_at,
    const std::function<PhaseForm(const Groups&)>& merge_lists);

}  // namespace agpusim::multiway_merge_sort
