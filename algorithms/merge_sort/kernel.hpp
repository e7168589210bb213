#pragma once

#include <cstdint>

#include "agpusim/algorithms/merge_sort/groups.hpp"
#include "agpusim/algorithms/merge_sort/heap_merge.hpp"

namespace agpusim::multiway_merge_sort {

/// Sorts runs of `run` keys in the registers of V lanes, V·registers keys a task. Which keys of
/// a task make up a run does not matter, only that runs lie one after the other: a task with fewer
/// keys sorts them all.
template <class Key, std::int32_t registers>
struct SortRuns {
  static constexpr const char* name = "sort_runs";
  static constexpr bool oblivious = true;

  std::int64_t n;
  std::int32_t run;    ///< h, a power of two, registers <= h <= V·registers
  std::int32_t width;  ///< V

  [[nodiscard]] std::int64_t shared_bytes() const {
    return registers * width * std::int64_t{sizeof(Key)};
  }

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    const std::int32_t all = registers * mp.width();
    const auto tile = mp.template shared<Key>(all, "keys");
    const BitonicRegisters<log2_of(registers), Mp, decltype(tile)> network(mp, tile);
    const std::int64_t first = mp.task() * all;
    const std::int32_t length = n - first < all ? static_cast<std::int32_t>(n - first) : all;
    const In mine = in.from(first);
    const Out sorted = out.from(first);
    const auto lane = mp.lane();
    auto keys = make_registers<registers>([&](std::int32_t j) {
      const std::int32_t row = j * mp.width();
      if (row + mp.width() <= length) return mine.read(lane + row);
      auto key = mp.varying(largest_key<Key>);
      if (row < length) mp.when(lane < length - row, [&] { key = mine.read(lane + row); });
      return key;
    });
    if (run == all || length != all) {
      network.sort(keys, log2_of(all));
    } else {
      network.sort(keys, log2_of(run));
    }
    network.write(keys, network.in_layout(0));
    mp.sync();
    network.read(keys, network.in_layout(network.places().rows()));
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < registers; ++j) {
      const std::int32_t row = j * mp.width();
      if (row + mp.width() <= length) {
        sorted.write(lane + row, keys[j]);
      } else if (row < length) {
        mp.when(lane < length - row, [&] { sorted.write(lane + row, keys[j]); });
      }
    }
  }
};

/// Merges each group by one task.
template <class Key, std::int32_t rows>
struct MergeGroups {
  static constexpr const char* name = "merge_groups";
  static constexpr bool oblivious = true;

  Groups groups;
  std::int32_t width;  ///< V

  [[nodiscard]] std::int64_t shared_bytes() const {
    return heap_bytes<Key, rows>(groups.levels, width);
  }

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    const HeapMerge<Key, rows, Mp> heap(mp, groups.levels);
    const std::int64_t first = mp.task() * groups.size();
    const std::int64_t length = groups.length(mp.task());
    for_lanes(mp, heap.leaves(), [&](const auto& leaf) {
      heap.set_piece(leaf, mp.varying(0), groups.run_length(mp, leaf, length));
    });
    heap(in, out, MergeOutput{first, static_cast<std::int32_t>(length)},
         [&](std::int32_t leaf) { return first + std::int64_t{leaf} * groups.run; });
  }
};

/// The regions of groups: parts of a group's sorted order, each but the last of `region` keys,
/// which tasks merge independently.
struct Regions {
  Groups groups;
  std::int32_t region;  ///< R, keys

  /// Regions of a group that has all its runs.
  [[nodiscard]] AGPUSIM_FN std::int64_t per_group() const {
    return (groups.size() + region - 1) / region;
  }
  [[nodiscard]] AGPUSIM_FN std::int64_t of_group(std::int64_t group) const {
    return (groups.length(group) + region - 1) / region;
  }
  [[nodiscard]] AGPUSIM_FN std::int64_t count() const {
    const std::int64_t last = groups.count() - 1;
    return last * per_group() + of_group(last);
  }
  /// Borders between regions of one group.
  [[nodiscard]] AGPUSIM_FN std::int64_t borders() const { return count() - groups.count(); }
};

/// Merges each region by one task. cuts[border·2^levels + leaf] keys of run `leaf` lie before
/// a border; the borders of a group are neighbours.
template <class Key, std::int32_t rows>
struct MergeRegions {
  static constexpr const char* name = "merge_regions";

  Regions regions;
  std::int32_t width;  ///< V

  [[nodiscard]] std::int64_t shared_bytes() const {
    return heap_bytes<Key, rows>(regions.groups.levels, width);
  }

  template <class Mp, class In, class Cuts, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Cuts cuts, Out out) const {
    const Groups& groups = regions.groups;
    const HeapMerge<Key, rows, Mp> heap(mp, groups.levels);
    const std::int64_t group = mp.task() / regions.per_group();
    const std::int64_t region = mp.task() % regions.per_group();
    const std::int64_t first = group * groups.size();
    const std::int64_t length = groups.length(group);
    const std::int64_t before = region * regions.region;
    const std::int64_t rest = length - before;
    const bool last = rest <= regions.region;
    const std::int64_t border = group * (regions.per_group() - 1) + region;
    const Cuts ends = cuts.from(border << groups.levels);
    const Cuts begins = cuts.from((border - 1) << groups.levels);
    for_lanes(mp, heap.leaves(), [&](const auto& leaf) {
      auto begin = mp.varying(0);
      if (region != 0) begin = begins.read(leaf);
      if (last) {
        heap.set_piece(leaf, begin, groups.run_length(mp, leaf, length));
      } else {
        heap.set_piece(leaf, begin, ends.read(leaf));
      }
    });
    heap(in, out,
         MergeOutput{first + before, last ? static_cast<std::int32_t>(rest) : regions.region},
         [&](std::int32_t leaf) { return first + std::int64_t{leaf} * groups.run; });
  }
};

}  // namespace agpusim::multiway_merge_sort
