#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "agpusim/model/run/run.hpp"

// Steps that a device leaves to its library: CUB on CUDA. On the abstract machine the host does
// them, and they are priced as what is said beside them.
namespace agpusim::out_of_core {

/// The phases of agpusim's fused bitonic sort of n keys of `bytes` bytes, whose cost does not
/// depend on them.
[[nodiscard]] std::vector<PhaseReport> sort_phases(const AgpuSpec& spec, std::int64_t n,
                                                   std::int32_t bytes);
/// One counting pass over n pairs: both arrays read, both written to places of their own.
[[nodiscard]] std::vector<PhaseReport> partition_phases(const AgpuSpec& spec, std::int64_t n,
                                                        std::int32_t bytes);

/// Sorts in[0..n-1] by operator< to out[0..n-1].
template <class T>
struct SortStep {
  using is_library_step = void;
  static constexpr const char* name = "sort";

  std::int64_t n;

  void on_host(const std::vector<T>& in, std::vector<T>& out) const {
    std::copy_n(in.begin(), n, out.begin());
    std::sort(out.begin(), out.begin() + n);
  }
  [[nodiscard]] std::vector<PhaseReport> phases(const AgpuSpec& spec) const {
    return sort_phases(spec, n, sizeof(T));
  }
};

/// out = in[0..n-1], of which every segment, from a head flag that is not 0 to the next, is sorted
/// by operator<. Priced as two sorts of n keys of 8 bytes: by the keys, then, stably, by their
/// segments.
template <class T>
struct SegmentedSortStep {
  using is_library_step = void;
  static constexpr const char* name = "segmented_sort";

  std::int64_t n;

  void on_host(const std::vector<T>& in, const std::vector<std::uint32_t>& heads,
               std::vector<T>& out) const {
    std::copy_n(in.begin(), n, out.begin());
    for (std::int64_t first = 0; first < n;) {
      std::int64_t end = first + 1;
      while (end < n && heads[static_cast<std::size_t>(end)] == 0) ++end;
      std::sort(out.begin() + first, out.begin() + end);
      first = end;
    }
  }
  [[nodiscard]] std::vector<PhaseReport> phases(const AgpuSpec& spec) const {
    std::vector<PhaseReport> both = sort_phases(spec, n, sizeof(std::uint64_t));
    both.reserve(2 * both.size());
    both.insert(both.end(), both.begin(), both.end());
    return both;
  }
};

/// Moves n pairs (place, value) so that those of window w = place / 2^shift come one after the
/// other, in their order; counts[w] is their number. Places outside 0..total-1 are counted in
/// counts[windows], and stay behind the others.
template <class T>
struct PartitionStep {
  using is_library_step = void;
  static constexpr const char* name = "partition";

  std::int64_t n;
  std::int32_t shift;
  std::int32_t windows;
  std::int64_t total;

  [[nodiscard]] std::int32_t window(std::int64_t place) const {
    return place < 0 || place >= total ? windows : static_cast<std::int32_t>(place >> shift);
  }

  void on_host(const std::vector<std::int64_t>& places, const std::vector<T>& values,
               std::vector<std::int64_t>& places_out, std::vector<T>& values_out,
               std::vector<std::int64_t>& counts) const {
    std::vector<std::int64_t> next(static_cast<std::size_t>(windows) + 2);
    for (std::int64_t i = 0; i < n; ++i) ++next[window_at(places, i) + 1];
    std::copy(next.begin() + 1, next.end(), counts.begin());
    for (std::size_t w = 1; w < next.size(); ++w) next[w] += next[w - 1];
    for (std::int64_t i = 0; i < n; ++i) {
      const auto to = static_cast<std::size_t>(next[window_at(places, i)]++);
      places_out[to] = places[static_cast<std::size_t>(i)];
      values_out[to] = values[static_cast<std::size_t>(i)];
    }
  }
  [[nodiscard]] std::vector<PhaseReport> phases(const AgpuSpec& spec) const {
    return partition_phases(spec, n, sizeof(T));
  }

 private:
  [[nodiscard]] std::size_t window_at(const std::vector<std::int64_t>& places,
                                      std::int64_t i) const {
    return static_cast<std::size_t>(window(places[static_cast<std::size_t>(i)]));
  }
};

}  // namespace agpusim::out_of_core
