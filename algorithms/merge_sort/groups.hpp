#pragma once

#include <cstdint>

#include "agpusim/model/scalar.hpp"

namespace agpusim::multiway_merge_sort {

/// Keys that are sorted in runs of `run` keys, the last run shorter, and the groups of 2^levels
/// neighbouring runs that are to become one run each.
struct Groups {
  std::int64_t n;       ///< keys, at most 2^29
  std::int32_t run;     ///< h, keys of a run
  std::int32_t levels;  ///< lg of the runs of a group

  [[nodiscard]] AGPUSIM_FN std::int64_t size() const { return std::int64_t{run} << levels; }
  [[nodiscard]] AGPUSIM_FN std::int64_t count() const { return (n + size() - 1) / size(); }
  /// Keys of group `group`.
  [[nodiscard]] AGPUSIM_FN std::int64_t length(std::int64_t group) const {
    const std::int64_t rest = n - group * size();
    return rest < size() ? rest : size();
  }
  /// Keys of run `leaf` of a group of `length` keys.
  template <class Mp, class Index>
  [[nodiscard]] AGPUSIM_FN Index run_length(Mp& mp, const Index& leaf, std::int64_t length) const {
    const auto whole = static_cast<std::int32_t>(length / run);
    const auto part = static_cast<std::int32_t>(length % run);
    return select(leaf < whole, mp.varying(run),
                  select(leaf == whole, mp.varying(part), mp.varying(0)));
  }
};

}  // namespace agpusim::multiway_merge_sort
