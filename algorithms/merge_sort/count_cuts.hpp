#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/network/key_range.hpp"
#include "agpusim/algorithms/common/shared_bytes.hpp"
#include "agpusim/algorithms/merge_sort/distribution.hpp"
#include "agpusim/model/registers.hpp"
#include "agpusim/model/scalar.hpp"

namespace agpusim::multiway_merge_sort {

/// Cuts each run at the merged pivots by one task: a merge that only counts. V pivots are in the
/// lanes and B = rows·V keys of the run in shared memory; each lane searches its pivot among those
/// keys, then whichever of the two ends first moves on. cuts[run·stride + r] keys of a run lie
/// before the end of region r.
template <class Key, std::int32_t rows>
struct CountCuts {
  static constexpr const char* name = "count_cuts";

  Distribution distribution;
  std::int32_t width;  ///< V

  [[nodiscard]] std::int64_t shared_bytes() const {
    return shared_array_bytes<Key>(std::int64_t{rows} * width) + shared_array_bytes<Key>(width) +
           shared_array_bytes<std::int32_t>(2);
  }

  /// `pivots` are sorted.
  template <class Mp, class In, class Pivots, class Cuts>
  AGPUSIM_FN void operator()(Mp& mp, In in, Pivots pivots, Cuts cuts) const {
    const std::int32_t lanes = mp.width();
    const std::int32_t buffer = rows * lanes;
    const auto tile = mp.template shared<Key>(buffer, "tile");
    const auto among = mp.template shared<Key>(lanes, "pivots");
    const auto carried = mp.template shared<std::int32_t>(2, "carried");
    const auto run = static_cast<std::int32_t>(mp.task());
    const std::int32_t length = distribution.length(run);
    const In keys = in.from(std::int64_t{run} * distribution.run);
    const Cuts mine = cuts.from(std::int64_t{run} * distribution.stride);
    const auto lane = mp.lane();

    // The last pivot of the lanes before: its key, its number among equal ones, counted from 1,
    // and the keys of the run below it.
    Key last = smallest_key<Key>;
    std::int32_t last_number = 0;
    std::int32_t last_below = 0;
    std::int32_t tile_begin = 0;
    Key tile_last = load(mp, keys, tile, tile_begin, length);
    const std::int32_t all = distribution.regions() - 1;
    for (std::int32_t first = 0; first <= all; first += lanes) {
      const std::int32_t rest = all - first;
      const Pivots block = pivots.from(first);
      // The last region ends with the run instead of a pivot.
      auto cut = mp.varying(length);
      if (rest > 0) {
        auto pivot = mp.varying(largest_key<Key>);
        if (rest >= lanes) {
          pivot = block.read(lane);
        } else {
          mp.when(lane < rest, [&] { pivot = block.read(lane); });
        }
        mp.sync();
        among.write(lane, pivot);
        mp.sync();
        const std::int32_t last_lane = (rest < lanes ? rest : lanes) - 1;
        const Key before = last;
        last = mp.uniform(among.read(mp.varying(last_lane)));
        const auto is_below = [&](const auto& key) { return key < pivot; };
        const auto is_not_above = [&](const auto& key) { return !(pivot < key); };
        const auto middle_pivot = among.read(mp.varying(lanes / 2 - 1));
        auto number = lane + 1 - count(mp, among, lanes, middle_pivot, is_below);
        auto below = mp.varying(tile_begin);
        auto up_to = below;
        for (;;) {
          const auto middle = tile.read(mp.varying(buffer / 2 - 1));
          below = below + count(mp, tile, buffer, middle, is_below);
          up_to = up_to + count(mp, tile, buffer, middle, is_not_above);
          if (last < tile_last || tile_begin + buffer >= length) break;
          tile_begin += buffer;
          tile_last = load(mp, keys, tile, tile_begin, length);
        }
        mp.when(pivot == before, [&] {
          number = number + last_number;
          below = mp.varying(last_below);
        });
        if (rest > lanes) {
          mp.when(lane == last_lane, [&] {
            carried.write(mp.varying(0), number);
            carried.write(mp.varying(1), below);
          });
          mp.sync();
          last_number = mp.uniform(carried.read(mp.varying(0)));
          last_below = mp.uniform(carried.read(mp.varying(1)));
        }
        const auto ends = cut_of_run(mp, length, number, min(below, length), min(up_to, length));
        cut = select(lane < rest, ends, cut);
      }
      if (rest + 1 >= lanes) {
        mine.from(first).write(lane, cut);
      } else {
        mp.when(lane < rest + 1, [&] { mine.from(first).write(lane, cut); });
      }
    }
  }

 private:
  /// The cut of a run whose keys `below`..`up_to`-1 equal a pivot, by the number of the pivot among
  /// equal ones: behind the number-th of the places of the run's own pivots that come after
  /// `below`, so that no two cuts are farther apart than those places.
  template <class Mp, class Index>
  AGPUSIM_FN auto cut_of_run(Mp& mp, std::int32_t length, const Index& number, const Index& below,
                             const Index& up_to) const {
    auto cut = below;
    mp.when(below < up_to, [&] {
      const auto parts = static_cast<std::uint64_t>(distribution.pivots) + 1;
      const auto whole = static_cast<std::uint64_t>(length);
      const auto places_before = cast<std::uint64_t>(below) * parts / whole;
      const auto place = min(places_before + cast<std::uint64_t>(number), parts);
      cut = min(up_to, cast<std::int32_t>((place * whole + (parts - 1)) / parts));
    });
    return cut;
  }

  /// Brings the keys from `first` on, and the largest key behind the run's end, to shared memory;
  /// returns the last one.
  template <class Mp, class In, class Tile>
  AGPUSIM_FN static Key load(Mp& mp, const In& keys, const Tile& tile, std::int32_t first,
                             std::int32_t length) {
    const auto lane = mp.lane();
    const std::int32_t lanes = mp.width();
    const auto loaded = make_registers<rows>([&](std::int32_t j) {
      const std::int32_t row = first + j * lanes;
      if (row + lanes <= length) return keys.read(lane + row);
      auto key = mp.varying(largest_key<Key>);
      if (row < length) mp.when(lane < length - row, [&] { key = keys.read(lane + row); });
      return key;
    });
    mp.sync();
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < rows; ++j) tile.write(lane + j * lanes, loaded[j]);
    mp.sync();
    return mp.uniform(tile.read(mp.varying(rows * lanes - 1)));
  }

  /// The first keys of `size`, a power of two, for which `holds`: binary search, whose first key is
  /// `middle`, the last one of the first half.
  template <class Mp, class Sorted, class LaneKey, class Holds>
  AGPUSIM_FN static auto count(Mp& mp, const Sorted& sorted, std::int32_t size,
                               const LaneKey& middle, const Holds& holds) {
    const auto zero = mp.varying(0);
    auto found = select(holds(middle), zero + size / 2, zero);
    for (std::int32_t step = size / 4; step > 0; step /= 2) {
      found = select(holds(sorted.read(found + (step - 1))), found + step, found);
    }
    return select(holds(sorted.read(found)), found + 1, found);
  }
};

}  // namespace agpusim::multiway_merge_sort
