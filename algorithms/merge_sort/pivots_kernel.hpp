#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/network/key_range.hpp"
#include "agpusim/algorithms/merge_sort/distribution.hpp"
#include "agpusim/algorithms/merge_sort/heap_merge.hpp"

namespace agpusim::multiway_merge_sort {

/// Writes each run's list of pivots, a lane per place of a list: pivot t of rho is the key at
/// position ceil(t·length/(rho+1)) of the run, counted from 1. Behind the last pivot a list is
/// filled up with the largest key.
template <class Key>
struct SamplePivots {
  static constexpr const char* name = "sample_pivots";

  Distribution distribution;

  [[nodiscard]] std::int64_t tasks(std::int32_t width) const {
    return (places() + width - 1) / width;
  }

  template <class Mp, class In, class Lists>
  AGPUSIM_FN void operator()(Mp& mp, In in, Lists lists) const {
    const Distribution& d = distribution;
    const auto first = static_cast<std::int32_t>(mp.task() * mp.width());
    const auto n = static_cast<std::int32_t>(d.n);
    const auto entry = mp.lane() + first;
    mp.when(entry < places(), [&] {
      const auto run = entry / d.list;
      const auto before = entry - run * d.list;  // pivots of the run before this one
      auto pivot = mp.varying(largest_key<Key>);
      mp.when(before < d.pivots, [&] {
        const auto begin = run * d.run;
        const auto length = min(n - begin, d.run);
        const auto keys_before =
            (cast<std::uint64_t>(before + 1) * cast<std::uint64_t>(length) - std::uint64_t{1}) /
            (static_cast<std::uint64_t>(d.pivots) + 1);
        pivot = in.read(begin + cast<std::int32_t>(keys_before));
      });
      lists.write(entry, pivot);
    });
  }

 private:
  [[nodiscard]] AGPUSIM_FN std::int32_t places() const {
    return distribution.runs * distribution.list;
  }
};

/// Where pieces go: offsets[run·stride + r] is the place of the first key of a run's piece of
/// region r if the pieces of a region follow each other in the order of the runs, and
/// offsets[l·stride + r] the region's end. A lane per region: the first cuts of all runs add up to
/// its begin, and sums of the pieces' lengths give the rest.
struct OffsetsOfPieces {
  static constexpr const char* name = "offsets_of_pieces";

  Distribution distribution;

  [[nodiscard]] std::int64_t tasks(std::int32_t width) const {
    return (distribution.regions() + width - 1) / width;
  }

  template <class Mp, class Cuts, class Offsets>
  AGPUSIM_FN void operator()(Mp& mp, Cuts cuts, Offsets offsets) const {
    const Distribution& d = distribution;
    const auto first = static_cast<std::int32_t>(mp.task() * mp.width());
    const auto region = mp.lane() + first;
    const auto behind_first = region > 0;
    mp.when(region < d.regions(), [&] {
      auto offset = mp.varying(0);
      mp.when(behind_first, [&] {
        for (std::int32_t run = 0; run < d.runs; ++run) {
          offset = offset + cuts.from(std::int64_t{run} * d.stride - 1).read(region);
        }
      });
      for (std::int32_t run = 0; run < d.runs; ++run) {
        const std::int64_t row = std::int64_t{run} * d.stride;
        offsets.from(row).write(region, offset);
        auto length = cuts.from(row).read(region);
        mp.when(behind_first, [&] { length = length - cuts.from(row - 1).read(region); });
        offset = offset + length;
      }
      offsets.from(std::int64_t{d.runs} * d.stride).write(region, offset);
    });
  }
};

/// A round of the second half: a task per region and group of 2^levels pieces, which it merges.
/// A piece holds the keys of `span` neighbouring runs; those of the first round (span = 1) lie in
/// the runs, later ones where the round before has put them.
template <class Key, std::int32_t rows>
struct MergePieces {
  static constexpr const char* name = "merge_pieces";

  Distribution distribution;
  std::int32_t span;
  std::int32_t levels;
  std::int32_t width;  ///< V

  /// Groups of a region.
  [[nodiscard]] AGPUSIM_FN std::int32_t groups() const {
    return ((distribution.runs - 1) / span >> levels) + 1;
  }
  [[nodiscard]] std::int64_t tasks() const {
    return std::int64_t{distribution.regions()} * groups();
  }
  [[nodiscard]] std::int64_t shared_bytes() const { return heap_bytes<Key, rows>(levels, width); }

  template <class Mp, class In, class Cuts, class Offsets, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Cuts cuts, Offsets offsets, Out out) const {
    const Distribution& d = distribution;
    const auto region = static_cast<std::int32_t>(mp.task() / groups());
    const auto group = static_cast<std::int32_t>(mp.task() % groups());
    const std::int32_t runs = span << levels;  // runs of a group
    const std::int32_t first_run = group * runs;
    const std::int32_t end_run = d.runs - first_run < runs ? d.runs : first_run + runs;
    const Offsets of_region = offsets.from(region);
    const auto zero = mp.varying(0);
    const auto begins_at = of_region.from(std::int64_t{first_run} * d.stride).read(zero);
    const auto ends_at = of_region.from(std::int64_t{end_run} * d.stride).read(zero);
    const std::int32_t first = mp.uniform(begins_at);
    const std::int32_t end = mp.uniform(ends_at);
    if (first == end) return;
    const HeapMerge<Key, rows, Mp> heap(mp, levels);
    for_lanes(mp, heap.leaves(), [&](const auto& leaf) {
      if (span == 1) {
        // Leaves behind the last run are empty.
        const auto run = min(leaf + first_run, end_run - 1);
        const auto run_begin = run * d.run;
        const auto row = run * d.stride;
        const auto cut = cuts.from(region).read(row);
        auto cut_before = zero;
        if (region > 0) cut_before = cuts.from(region - 1).read(row);
        const auto piece_end = select(leaf < end_run - first_run, cut, cut_before);
        heap.set_piece(leaf, run_begin + cut_before, run_begin + piece_end);
      } else {
        const auto from = min(leaf * span + first_run, end_run);
        const auto to = min(from + span, end_run);
        const auto piece_begin = of_region.read(from * d.stride);
        heap.set_piece(leaf, piece_begin, of_region.read(to * d.stride));
      }
    });
    heap(in, out, MergeOutput{first, end - first}, [](std::int32_t) { return std::int64_t{0}; });
  }
};

}  // namespace agpusim::multiway_merge_sort
