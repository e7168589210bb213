#pragma once

#include <cstdint>
#include <optional>

#include "agpusim/algorithms/merge_sort/distribution.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::multiway_merge_sort {

/// The distribution of a run of the variant pivots; nothing where rounds of merges alone are to
/// leave one run, or do.
[[nodiscard]] std::optional<Distribution> distribution_of(const RunConfig& config);

/// The most runs for which k pivots a run, k = p/b, leave u·l <= n/b: with them no multiprocessor
/// need get 2n/k keys (theory 3.12, Lemma 4.1 and the hidden size condition). At least 2, at most
/// k.
[[nodiscard]] std::int64_t default_runs(const RunConfig& config);

/// The most pivots of a run for which u·l <= n/b, at most 2k; 0 where there are none.
[[nodiscard]] std::int64_t default_pivots(const RunConfig& config);

/// Throws UsageError when there are too many runs or pivots for indices of 32 bits.
void check_pivots(const RunConfig& config);

}  // namespace agpusim::multiway_merge_sort
