#pragma once

#include <cstddef>
#include <cstdint>

#include "agpusim/algorithms/common/search.hpp"
#include "agpusim/algorithms/common/shared_bytes.hpp"
#include "agpusim/model/fn.hpp"
#include "agpusim/model/loop.hpp"
#include "agpusim/model/scalar.hpp"

// Two sorted arrays A and B, one behind the other, become one; of equal keys those of A come first.
namespace agpusim::merge_sorted {

/// Keys that a lane merges one after the other. Odd: V lanes that write so many neighbours each
/// into shared memory meet in no bank (theory L1).
inline constexpr std::int32_t keys_of_lane = 9;

struct Halves {
  std::int32_t a;  ///< keys of A
  std::int32_t b;  ///< keys of B
  [[nodiscard]] AGPUSIM_FN std::int32_t n() const { return a + b; }
};

/// How many of the first `diagonal` merged keys come from A, by a binary search on the diagonal of
/// the merge path (Odeh, Green, Mwassi, Shmueli and Birk 2012): a(i) and b(i) read keys i of arrays
/// of `halves` keys.
template <class Mp, class Lane, class ReadA, class ReadB>
AGPUSIM_FN Lane cut_of_diagonal(Mp& mp, const Halves& halves, const Lane& diagonal, ReadA a,
                                ReadB b) {
  auto low = max(diagonal - halves.b, 0);
  auto high = min(diagonal, halves.a);
  mp.while_any([&] { return low < high; },
               [&] {
                 const auto middle = (low + high) >> 1;
                 const auto from_a = a(middle) <= b(diagonal - 1 - middle);
                 low = select(from_a, middle + 1, low);
                 high = select(from_a, high, middle);
               });
  return low;
}

/// cuts[j] = keys of A among the first j·tile merged ones, j = 0..tiles: a lane for each.
struct CutDiagonals {
  static constexpr const char* name = "cut_diagonals";

  Halves halves;
  std::int32_t tile;
  std::int32_t tiles;

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out cuts) const {
    const auto j = mp.lane() + static_cast<std::int32_t>(mp.task()) * mp.width();
    const In in_b = in.from(halves.a);
    mp.when(j <= tiles, [&] {
      const auto diagonal = min(j * tile, halves.n());
      cuts.write(j, cut_of_diagonal(
                        mp, halves, diagonal, [&](const auto& i) { return in.read(i); },
                        [&](const auto& i) { return in_b.read(i); }));
    });
  }
};

/// A task merges the keys between two cuts in shared memory: each lane cuts the tile at a diagonal
/// of its own and merges keys_of_lane keys from there.
template <class Key>
struct MergeTiles {
  static constexpr const char* name = "merge_tiles";

  Halves halves;
  std::int32_t tile;  ///< V·keys_of_lane

  [[nodiscard]] std::int64_t shared_bytes() const { return shared_array_bytes<Key>(tile + 1); }

  template <class Mp, class In, class Cuts, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Cuts cuts, Out out) const {
    const auto lane = mp.lane();
    const auto zero = mp.varying(std::int32_t{0});
    const auto first = static_cast<std::int32_t>(mp.task()) * tile;
    const std::int32_t length = min(tile, halves.n() - first);
    const auto begin = cuts.from(mp.task()).read(zero);
    const auto end = cuts.from(mp.task() + 1).read(zero);
    const std::int32_t a_begin = mp.uniform(begin);
    const std::int32_t from_a = mp.uniform(end) - a_begin;
    const Halves mine{from_a, length - from_a};

    const auto view = mp.template shared<Key>(tile + 1, "tile");
    const In a = in.from(a_begin);
    const In b = in.from(halves.a + (first - a_begin));
    stream_lanes(
        mp, mine.a, [&](const auto& i) { return a.read(i); },
        [&](const auto& i, const auto& key) { view.write(i, key); });
    stream_lanes(
        mp, mine.b, [&](const auto& i) { return b.read(i); },
        [&](const auto& i, const auto& key) { view.write(i + mine.a, key); });
    // What is read behind the last key is not used, but must have been written.
    mp.when(lane == 0, [&] { view.write(zero + length, mp.varying(Key{})); });
    mp.sync();

    const auto start = min(lane * keys_of_lane, length);
    auto at_a = cut_of_diagonal(
        mp, mine, start, [&](const auto& i) { return view.read(i); },
        [&](const auto& i) { return view.read(i + mine.a); });
    auto at_b = start - at_a + mine.a;
    decltype(mp.varying(Key{})) merged[static_cast<std::size_t>(keys_of_lane)] = {
        mp.varying(Key{}), mp.varying(Key{}), mp.varying(Key{}),
        mp.varying(Key{}), mp.varying(Key{}), mp.varying(Key{}),
        mp.varying(Key{}), mp.varying(Key{}), mp.varying(Key{})};
    for (std::int32_t s = 0; s < keys_of_lane; ++s) {
      mp.when(start + s < length, [&] {
        const auto key_a = view.read(at_a);
        const auto key_b = view.read(at_b);
        const auto takes_a = (at_a < mine.a) & ((at_b >= length) | (key_a <= key_b));
        merged[s] = select(takes_a, key_a, key_b);
        at_a = select(takes_a, at_a + 1, at_a);
        at_b = select(takes_a, at_b, at_b + 1);
      });
    }
    mp.sync();
    for (std::int32_t s = 0; s < keys_of_lane; ++s) {
      mp.when(start + s < length, [&] { view.write(start + s, merged[s]); });
    }
    mp.sync();
    const Out to = out.from(first);
    for_lanes(mp, length, [&](const auto& i) { to.write(i, view.read(i)); });
  }
};

/// Every key goes to its own place plus its rank in the other array, found by binary search: the
/// first `tasks_of_a` tasks take the keys of A, the others those of B.
struct MergeByRanks {
  static constexpr const char* name = "merge_by_ranks";

  Halves halves;
  std::int32_t tasks_of_a;

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    const auto task = static_cast<std::int32_t>(mp.task());
    const auto lane = mp.lane();
    const In in_b = in.from(halves.a);
    if (task < tasks_of_a) {
      const std::int32_t first = task * mp.width();
      mp.when(lane < halves.a - first, [&] {
        const auto key = in.from(first).read(lane);
        const auto rank =
            count_before(mp, in_b, halves.b, [&](const auto& other) { return other < key; });
        out.from(first).write(rank + lane, key);
      });
    } else {
      const std::int32_t first = (task - tasks_of_a) * mp.width();
      mp.when(lane < halves.b - first, [&] {
        const auto key = in_b.from(first).read(lane);
        const auto rank =
            count_before(mp, in, halves.a, [&](const auto& other) { return other <= key; });
        out.from(first).write(rank + lane, key);
      });
    }
  }
};

}  // namespace agpusim::merge_sorted
