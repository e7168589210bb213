#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace agpusim::out_of_core {

/// Positions in sorted runs such that `rank` elements lie before them and none of these is greater
/// than one behind; of equal elements those of earlier runs come first. Any data: equal keys are
/// told apart by (run, position), so that the cuts are exact. Takes bisections: each finds the
/// place of the middle of the widest range in all runs.
template <class T>
[[nodiscard]] std::vector<std::int64_t> cut_runs(std::span<const std::span<const T>> runs,
                                                 std::int64_t rank) {
  const std::size_t count = runs.size();
  std::vector<std::int64_t> low(count);
  std::vector<std::int64_t> high(count);
  for (std::size_t i = 0; i < count; ++i) high[i] = std::ssize(runs[i]);
  std::vector<std::int64_t> before(count);
  for (;;) {
    std::size_t widest = 0;
    for (std::size_t i = 1; i < count; ++i) {
      if (high[i] - low[i] > high[widest] - low[widest]) widest = i;
    }
    if (count == 0 || high[widest] == low[widest]) return low;
    const std::int64_t middle = low[widest] + (high[widest] - low[widest]) / 2;
    const T& pivot = runs[widest][static_cast<std::size_t>(middle)];
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto from = runs[i].begin() + low[i];
      const auto to = runs[i].begin() + high[i];
      before[i] = i == widest  ? middle
                  : i < widest ? std::upper_bound(from, to, pivot) - runs[i].begin()
                               : std::lower_bound(from, to, pivot) - runs[i].begin();
      sum += before[i];
    }
    if (sum < rank) {  // the pivot is one of the first `rank`
      low = before;
      low[widest] = middle + 1;
    } else {
      high = before;
    }
  }
}

}  // namespace agpusim::out_of_core
