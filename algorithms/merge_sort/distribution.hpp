#pragma once

#include <cstdint>

#include "agpusim/model/fn.hpp"

namespace agpusim::multiway_merge_sort {

/// The distribution of Koike and Sadakane (seed 001, 4.5): l sorted runs are cut at the same
/// rho·l pivots, rho equally spaced keys of each run, into u = rho·l + 1 regions that are merged
/// independently. A run's part of a region is a piece, of at most ceil(h/(rho+1)) keys whatever the
/// input, since the i-th of equal pivots cuts a run at the i-th place of its own pivots behind the
/// smaller keys (theory 3.12, K9).
struct Distribution {
  std::int64_t n;       ///< keys, at most 2^29
  std::int32_t run;     ///< h, keys of a run; the last run may have fewer
  std::int32_t runs;    ///< l
  std::int32_t pivots;  ///< rho, pivots of a run
  std::int32_t list;    ///< places of a run's list of pivots: rho, rounded up to whole blocks
  std::int32_t stride;  ///< places of a run's cuts: u, rounded up to whole blocks

  /// u.
  [[nodiscard]] AGPUSIM_FN std::int32_t regions() const { return runs * pivots + 1; }
  /// Keys of run `index`.
  [[nodiscard]] AGPUSIM_FN std::int32_t length(std::int32_t index) const {
    const std::int64_t rest = n - std::int64_t{index} * run;
    return rest < run ? static_cast<std::int32_t>(rest) : run;
  }
};

}  // namespace agpusim::multiway_merge_sort
