#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "agpusim/algorithms/merge_sort/kernel.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::multiway_merge_sort {

/// The key at a place of an array, as an unsigned number.
using KeyAt = std::function<std::uint64_t(std::int64_t)>;

/// SelectCuts, repeated lane by lane on the keys.
struct SelectedCuts {
  PhaseForm form;
  std::vector<std::int64_t> cuts;  ///< as SelectCuts leaves them
};

/// `words` per key.
[[nodiscard]] SelectedCuts select_cuts(const AgpuSpec& spec, std::int64_t words,
                                       const Regions& regions, const KeyAt& key_at);

}  // namespace agpusim::multiway_merge_sort
