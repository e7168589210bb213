#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/network/key_range.hpp"
#include "agpusim/algorithms/common/network/registers.hpp"
#include "agpusim/algorithms/common/shared_bytes.hpp"
#include "agpusim/algorithms/merge_sort/distribution.hpp"
#include "agpusim/model/scalar.hpp"

namespace agpusim::multiway_merge_sort {

/// Cuts each run at the merged pivots by one task: a merge that only counts. V pivots are in the
/// lanes and B = rows·V keys of the run in shared memory; each lane searches its pivot among those
/// keys, then whichever of the two ends first moves on. cuts[run·stride + r] keys of a run lie
/// before the end of region r.
template <std::int32_t rows>
struct CountCuts {
  static constexpr const char* name = "count_cuts";

  Distribution distribution;
  std::int32_t width;  ///< V

  [[nodiscard]] std::int64_t shared_bytes() const {
    return shared_array_bytes<std::uint32_t>(std::int64_t{rows} * width) +
           shared_array_bytes<std::uint64_t>(1);
  }

  /// `pivots` are sorted, each as key·2^32 + place of the key.
  template <class Mp, class In, class Pivots, class Cuts>
  AGPUSIM_FN void operator()(Mp& mp, In in, Pivots pivots, Cuts cuts) const {
    const std::int32_t lanes = mp.width();
    const std::int32_t buffer = rows * lanes;
    const auto tile = mp.template shared<std::uint32_t>(buffer, "tile");
    const auto last_limit = mp.template shared<std::uint64_t>(1, "last_limit");
    const auto run = static_cast<std::int32_t>(mp.task());
    const std::int32_t begin = run * distribution.run;
    const std::int32_t length = distribution.length(run);
    const In keys = in.from(begin);
    const Cuts mine = cuts.from(std::int64_t{run} * distribution.stride);
    const auto lane = mp.lane();
    const auto zero = mp.varying(0);

    std::int32_t tile_begin = 0;
    std::uint32_t tile_last = load(mp, keys, tile, tile_begin, length);
    for (std::int32_t first = 0; first < distribution.regions(); first += lanes) {
      // The last region ends with the run instead of a pivot: its lane has the largest number.
      const std::int32_t rest = distribution.regions() - 1 - first;
      const Pivots block = pivots.from(first);
      auto pivot = mp.varying(largest_key<std::uint64_t>);
      if (rest >= lanes) {
        pivot = block.read(lane);
      } else if (rest > 0) {
        mp.when(lane < rest, [&] { pivot = block.read(lane); });
      }
      const auto place = cast<std::int32_t>(pivot);
      const auto position = place - begin;
      const auto key = pivot >> 32;
      // Keys of this run that equal the pivot are before it, unless it is of an earlier run.
      const auto limit = select(position >= 0, key + std::uint64_t{1}, key);
      auto cut = mp.varying(tile_begin);
      if (rest > 0) {
        const std::int32_t last_lane = (rest < lanes ? rest : lanes) - 1;
        mp.sync();
        mp.when(lane == last_lane, [&] { last_limit.write(zero, limit); });
        mp.sync();
        const std::uint64_t last = mp.uniform(last_limit.read(zero));
        for (;;) {
          cut = cut + keys_below(mp, tile, limit);
          if (tile_last >= last || tile_begin + buffer >= length) break;
          tile_begin += buffer;
          tile_last = load(mp, keys, tile, tile_begin, length);
        }
      }
      cut = min(cut, length);
      const auto own = position >= 0 && position < length;
      cut = select(own, position + 1, select(place < 0, mp.varying(length), cut));
      if (rest + 1 >= lanes) {
        mine.from(first).write(lane, cut);
      } else {
        mp.when(lane < rest + 1, [&] { mine.from(first).write(lane, cut); });
      }
    }
  }

 private:
  /// Brings the keys from `first` on, and the largest key behind the run's end, to shared memory;
  /// returns the last one.
  template <class Mp, class In, class Tile>
  AGPUSIM_FN static std::uint32_t load(Mp& mp, const In& keys, const Tile& tile, std::int32_t first,
                                       std::int32_t length) {
    const auto lane = mp.lane();
    const std::int32_t lanes = mp.width();
    const auto loaded = make_registers<rows>([&](std::int32_t j) {
      const std::int32_t row = first + j * lanes;
      if (row + lanes <= length) return keys.read(lane + row);
      auto key = mp.varying(largest_key<std::uint32_t>);
      if (row < length) mp.when(lane < length - row, [&] { key = keys.read(lane + row); });
      return key;
    });
    mp.sync();
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < rows; ++j) tile.write(lane + j * lanes, loaded[j]);
    mp.sync();
    return mp.uniform(tile.read(mp.varying(rows * lanes - 1)));
  }

  /// Keys of the tile below each lane's limit: binary search.
  template <class Mp, class Tile, class Limit>
  AGPUSIM_FN static auto keys_below(Mp& mp, const Tile& tile, const Limit& limit) {
    auto count = mp.varying(0);
    for (std::int32_t step = rows * mp.width() / 2; step > 0; step /= 2) {
      const auto below = cast<std::uint64_t>(tile.read(count + (step - 1))) < limit;
      count = select(below, count + step, count);
    }
    const auto below = cast<std::uint64_t>(tile.read(count)) < limit;
    return select(below, count + 1, count);
  }
};

}  // namespace agpusim::multiway_merge_sort
