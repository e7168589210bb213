#pragma once

#include <cstdint>

#include "agpusim/model/loop.hpp"

// The bitonic network in the form whose comparators all put the smaller key first: a merge of two
// sorted halves begins with one "flip" stage (element o of the lower half against element o of the
// upper half, counted from the border outwards), then halving strides. Keys beyond n would be
// +infinity and never move, so their comparators are left out and any n sorts in place.
namespace agpusim::bitonic_sort {

/// Comparators of a stage with distance `half` (a power of two) over `length` keys: they are
/// numbers 0..count-1. Without division, which takes a GPU a hundred instructions.
AGPUSIM_FN std::int64_t comparators(std::int64_t length, std::int64_t half) {
  const std::int64_t rest = length & (2 * half - 1);
  return (length - rest) / 2 + (rest > half ? rest - half : 0);
}

/// Puts the smaller of two keys at i. Writes always: the cost does not depend on the keys.
template <class Tile, class Index>
AGPUSIM_FN void compare_exchange(const Tile& tile, const Index& i, const Index& j) {
  const auto x = tile.read(i);
  const auto y = tile.read(j);
  tile.write(i, min(x, y));
  tile.write(j, max(x, y));
}

/// One stage in shared memory: comparator i is pair i mod half of block i / half.
template <class Mp, class Tile>
AGPUSIM_FN void tile_stage(Mp& mp, const Tile& tile, std::int32_t length, std::int32_t half,
                           bool flip) {
  mp.sync();
  const auto count = static_cast<std::int32_t>(comparators(length, half));
  if (flip) {
    for_lanes(mp, count, [&](const auto& i) {
      const auto high = (i << 1) - (i & (half - 1)) + half;
      compare_exchange(tile, high ^ (2 * half - 1), high);
    });
  } else {
    for_lanes(mp, count, [&](const auto& i) {
      const auto low = (i << 1) - (i & (half - 1));
      compare_exchange(tile, low, low + half);
    });
  }
}

/// Reads the keys of a task's tile, works on them in shared memory, and writes them back.
template <class Key, class Mp, class Keys, class Work>
AGPUSIM_FN void with_tile(Mp& mp, Keys keys, std::int64_t n, std::int32_t tile_size, Work work) {
  const std::int64_t first = mp.task() * tile_size;
  const std::int64_t rest = n - first;
  const std::int32_t length = rest < tile_size ? static_cast<std::int32_t>(rest) : tile_size;
  const Keys mine = keys.from(first);
  const auto tile = mp.template shared<Key>(tile_size, "tile");
  stream_lanes(
      mp, length, [&](const auto& i) { return mine.read(i); },
      [&](const auto& i, const auto& key) { tile.write(i, key); });
  work(tile, length);
  mp.sync();
  for_lanes(mp, length, [&](const auto& i) { mine.write(i, tile.read(i)); });
}

/// Sorts every tile of `tile` keys (a power of two) by itself.
template <class Key>
struct TileSort {
  static constexpr const char* name = "tile_sort";
  static constexpr bool oblivious = true;

  std::int64_t n;     ///< keys
  std::int32_t tile;  ///< S, keys of one tile

  [[nodiscard]] std::int64_t shared_bytes() const { return tile * std::int64_t{sizeof(Key)}; }

  template <class Mp, class Keys>
  AGPUSIM_FN void operator()(Mp& mp, Keys keys) const {
    with_tile<Key>(mp, keys, n, tile, [&](const auto& view, std::int32_t length) {
      for (std::int32_t size = 2; size < 2 * length; size *= 2) {
        tile_stage(mp, view, length, size / 2, true);
        for (std::int32_t half = size / 4; half > 0; half /= 2) {
          tile_stage(mp, view, length, half, false);
        }
      }
    });
  }
};

/// Finishes a merge inside every tile: the strides tile/2, ..., 1.
template <class Key>
struct TileMerge {
  static constexpr const char* name = "tile_merge";
  static constexpr bool oblivious = true;

  std::int64_t n;     ///< keys
  std::int32_t tile;  ///< S, keys of one tile

  [[nodiscard]] std::int64_t shared_bytes() const { return tile * std::int64_t{sizeof(Key)}; }

  template <class Mp, class Keys>
  AGPUSIM_FN void operator()(Mp& mp, Keys keys) const {
    with_tile<Key>(mp, keys, n, tile, [&](const auto& view, std::int32_t length) {
      for (std::int32_t half = tile / 2; half > 0; half /= 2) {
        tile_stage(mp, view, length, half, false);
      }
    });
  }
};

/// One stage in global memory. A task takes `per_task` neighbouring comparators, which divides
/// `half`: they lie in one block, and both sides are contiguous.
struct GlobalStage {
  static constexpr const char* name = "global_stage";
  static constexpr bool oblivious = true;

  std::int64_t n;         ///< keys
  std::int64_t half;      ///< distance of a halving stage; half the size of a flip stage
  std::int32_t per_task;  ///< comparators of one task
  bool flip;

  template <class Mp, class Keys>
  AGPUSIM_FN void operator()(Mp& mp, Keys keys) const {
    const std::int64_t first = mp.task() * per_task;
    const std::int64_t rest = comparators(n, half) - first;
    const std::int32_t count = rest < per_task ? static_cast<std::int32_t>(rest) : per_task;
    const std::int64_t offset = first & (half - 1);
    const std::int64_t low = 2 * first - offset;
    const Keys upper = keys.from(low + half);
    if (flip) {
      const Keys lower = keys.from(low - 2 * offset + half - 1);
      exchange(mp, count, lower, upper, [](const auto& i) { return 0 - i; });
    } else {
      exchange(mp, count, keys.from(low), upper, [](const auto& i) { return i; });
    }
  }

 private:
  /// Comparator i joins lower[place(i)] and upper[i].
  template <class Mp, class Keys, class Place>
  AGPUSIM_FN static void exchange(Mp& mp, std::int32_t count, const Keys& lower, const Keys& upper,
                                  Place place) {
    stream_lanes(
        mp, count,
        [&](const auto& i) {
          return Loaded2{lower.read(place(i)), upper.read(i)};
        },
        [&](const auto& i, const auto& pair) {
          lower.write(place(i), min(pair.first, pair.second));
          upper.write(i, max(pair.first, pair.second));
        });
  }
};

}  // namespace agpusim::bitonic_sort
