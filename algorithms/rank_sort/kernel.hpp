#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/shared_bytes.hpp"
#include "agpusim/algorithms/rank_sort/counting.hpp"
#include "agpusim/algorithms/rank_sort/load.hpp"
#include "agpusim/algorithms/rank_sort/slicing.hpp"
#include "agpusim/model/loop.hpp"

// out[K[t]] = A[t], where K[t] is the number of keys that come before key t in the order (key,
// index) (theory 3.9). Every kernel is one phase: a task counts for neighbouring keys of its own,
// whose ranks are places of the result.
namespace agpusim::rank_sort {

/// Writes a lane's key of rank `rank` to its place. It is at place first + slot of the input;
/// destinations.hpp has others than an array of keys.
template <class Out, class Lane, class Key>
AGPUSIM_FN void put(const Out& out, const Lane& rank, const Key& key, std::int32_t /*first*/,
                    const Lane& /*slot*/) {
  out.write(rank, key);
}

/// A task of one key for each lane: reads its `own_count` keys, which begin at place `first`, calls
/// count(first, own_count, own, rank), which adds to `rank` the number of keys that come before
/// `own`, and writes them to out[rank].
template <class Mp, class In, class Out, class Count>
AGPUSIM_FN void rank_key_of_lane(Mp& mp, std::int32_t n, const In& in, const Out& out,
                                 Count count) {
  const auto first = static_cast<std::int32_t>(mp.task()) * mp.width();
  const std::int32_t own_count = min(mp.width(), n - first);
  const auto lane = mp.lane();
  auto own = mp.varying(typename In::value_type{});
  for_first(mp, own_count, mp.width(), lane, [&] { own = in.from(first).read(lane); });
  auto rank = mp.varying(std::int32_t{0});
  count(first, own_count, own, rank);
  for_first(mp, own_count, mp.width(), lane, [&] { put(out, rank, own, first, lane); });
}

/// Adds to `count` the number of keys in [begin, end) of `in` that come before a lane's `own`,
/// which is at `place` where `side` does not say it.
template <Side side, class Mp, class In, class Lane, class Key>
AGPUSIM_FN void count_range(Mp& mp, const In& in, std::int32_t begin, std::int32_t end,
                            const Lane& place, const Key& own, Lane& count) {
  for (std::int32_t i = begin; i < end; ++i) {
    const auto before = comes_first<side>(in.read(mp.varying(i)), own, [&] { return place > i; });
    count = add_where(count, before);
  }
}

/// Every lane owns one key, and reads all keys from global memory.
struct RankGlobal {
  static constexpr const char* name = "rank_global";

  std::int32_t n;  ///< keys

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    const auto lane = mp.lane();
    const auto count = [&](std::int32_t first, std::int32_t own_count, const auto& own,
                           auto& rank) {
      count_range<Side::before>(mp, in, 0, first, lane, own, rank);
      count_range<Side::among>(mp, in.from(first), 0, own_count, lane, own, rank);
      count_range<Side::after>(mp, in, first + own_count, n, lane, own, rank);
    };
    rank_key_of_lane(mp, n, in, out, count);
  }
};

/// RankGlobal with a fixed number of lanes: each sorts `own` neighbouring keys in, one by one
/// (the seed's loop over c left out the rest of n/threads).
struct RankLooped {
  static constexpr const char* name = "rank_looped";

  std::int32_t n;    ///< keys
  std::int32_t own;  ///< keys of a lane

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    using Key = typename In::value_type;
    const auto first = static_cast<std::int32_t>(mp.task()) * mp.width() * own;
    const std::int32_t own_count = min(mp.width() * own, n - first);
    const In keys = in.from(first);
    const auto begin = mp.lane() * own;
    for (std::int32_t j = 0; j < min(own, own_count); ++j) {
      const auto place = begin + j;
      const auto has_key = place < own_count;
      auto key = mp.varying(Key{});
      mp.when(has_key, [&] { key = keys.read(place); });
      auto rank = mp.varying(std::int32_t{0});
      count_range<Side::before>(mp, in, 0, first, place, key, rank);
      count_range<Side::among>(mp, keys, 0, own_count, place, key, rank);
      count_range<Side::after>(mp, in, first + own_count, n, place, key, rank);
      mp.when(has_key, [&] { out.write(rank, key); });
    }
  }
};

/// RankGlobal without the tie-break (seed 002, but for its guard): right where no two keys are
/// equal. Equal keys meet in one place, and another is never written.
struct RankUnique {
  static constexpr const char* name = "rank_unique";

  std::int32_t n;  ///< keys

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    const auto count = [&](std::int32_t, std::int32_t, const auto& own, auto& rank) {
      for (std::int32_t i = 0; i < n; ++i) rank = add_where(rank, in.read(mp.varying(i)) < own);
    };
    rank_key_of_lane(mp, n, in, out, count);
  }
};

/// Every lane owns `own` keys in registers; all keys pass through shared memory tile by tile. With
/// one slice all lanes read the same word at a time.
template <class Key, std::int32_t own, bool sliced>
struct RankTiled {
  static constexpr const char* name = "rank_tiled";

  std::int32_t n;            ///< keys
  std::int32_t tile_rounds;  ///< rounds of a tile, in each of which every slice takes a key
  std::int32_t rounds;       ///< rounds of all keys
  Slicing slicing;

  [[nodiscard]] std::int64_t shared_bytes() const {
    return shared_array_bytes<Key>(tile()) +
           shared_array_bytes<std::int32_t>(sliced ? slicing.counts(own) : 0);
  }

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    const auto lane = mp.lane();
    const std::int32_t lanes = slicing.lanes;
    const auto first = static_cast<std::int32_t>(mp.task()) * lanes * own;
    const std::int32_t own_count = min(lanes * own, n - first);
    auto keys = registers_of<own>(mp.varying(Key{}));
    auto counts = registers_of<own>(mp.varying(std::int32_t{0}));
    count(mp, in, first, own_count, keys, counts);
    for (std::int32_t i = 0; i < own; ++i) {
      for_first(mp, min(own_count - i * lanes, lanes), mp.width(), lane,
                [&] { put(out, counts[i], keys[i], first + i * lanes, lane); });
    }
  }

 private:
  [[nodiscard]] AGPUSIM_FN std::int32_t tile() const { return tile_rounds * slicing.slices; }

  /// Reads the `own_count` keys of a task, which begin at place `first`, and counts those before
  /// each of them. Apart from where the keys go, so that it is compiled once for all destinations.
  template <class Mp, class In, class Keys, class Counts>
  AGPUSIM_FN void count(Mp& mp, const In& in, std::int32_t first, std::int32_t own_count,
                        Keys& keys, Counts& counts) const {
    const auto lane = mp.lane();
    const auto slice = sliced ? slicing.slice_of(lane) : lane;
    const auto slot = sliced ? slicing.slot_of(lane) : lane;
    // A lane's key at place p of a tile (p plus its slice) lies before its own one when p is less
    // than this plus the distance of the task's keys from the tile.
    const auto lead = sliced ? slot - slice : lane;

    const std::int32_t lanes = slicing.lanes;
    for (std::int32_t i = 0; i < own; ++i) {
      const In from = in.from(first + i * lanes);
      for_first(mp, own_count - i * lanes, lanes, slot, [&] { keys[i] = from.read(slot); });
    }

    const auto view = mp.template shared<Key>(tile(), "tile");
    for (std::int32_t round = 0; round < rounds; round += tile_rounds) {
      const std::int32_t start = round * slicing.slices;
      const std::int32_t length = min(tile(), n - start);
      const std::int32_t rounds_here = min(tile_rounds, rounds - round);
      if (round > 0) mp.sync();
      load_tile(mp, in.from(start), length, rounds_here * slicing.slices, write_to(view));
      mp.sync();
      const std::int32_t distance = first - start;
      const auto compare = [&]<Side side>(const auto& key, std::int32_t at) {
        for (std::int32_t i = 0; i < own; ++i) {
          const auto before =
              comes_first<side>(key, keys[i], [&] { return lead > at - distance - i * lanes; });
          counts[i] = add_where(counts[i], before);
        }
      };
      const Range own_places = own_range(length, distance, own_count);
      if constexpr (sliced) {
        use_rounds<rounds_in_flight(own)>(
            rounds_here, slicing.slices, own_places,
            [&](std::int32_t at) { return view.read(slice + at); }, compare);
      } else if constexpr (keys_of_access<Key> == 1) {
        use_rounds<rounds_in_flight(own)>(
            length, 1, own_places, [&](std::int32_t at) { return view.read(mp.varying(at)); },
            compare);
      } else {
        use_neighbours<keys_in_flight(own)>(mp, view, length, own_places, compare);
      }
    }
    if constexpr (sliced) slicing.add_up(mp, counts);
  }
};

/// Every lane owns one key. Each b keys of a tile stand in shared memory twice, one copy behind the
/// other, so that in round j the lanes of a warp read b neighbouring words, beginning with word j:
/// no two meet in a bank, however equal addresses are served.
template <class Key>
struct RankRotated {
  static constexpr const char* name = "rank_rotated";

  std::int32_t n;      ///< keys
  std::int32_t tile;   ///< keys of a tile, a multiple of b
  std::int32_t banks;  ///< b

  [[nodiscard]] std::int64_t shared_bytes() const {
    return std::int64_t{2} * tile * std::int64_t{sizeof(Key)};
  }

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    const auto lane = mp.lane();
    const auto in_warp = lane % banks;
    const auto view = mp.template shared<Key>(2 * tile, "tile");
    const auto count = [&](std::int32_t first, std::int32_t, const auto& own, auto& rank) {
      for (std::int32_t start = 0; start < n; start += tile) {
        const std::int32_t length = min(tile, n - start);
        if (start > 0) mp.sync();
        const std::int32_t padded = (length + banks - 1) / banks * banks;
        load_tile(mp, in.from(start), length, padded, [&](const auto& i, const auto& key) {
          const auto place = (i << 1) - in_warp;
          view.write(place, key);
          view.write(place + banks, key);
        });
        mp.sync();
        const std::int32_t distance = first - start;
        for (std::int32_t block = 0; block < padded; block += banks) {
          const auto read = [&](std::int32_t j) { return view.read(in_warp + (2 * block + j)); };
          // In round j lane i of a warp reads key (i + j) mod b of the block. Among the lanes' own
          // keys it has passed the block's end, and the key lies before its own, when i >= b - j.
          const auto compare = [&]<Side side>(const auto& key, std::int32_t j) {
            const auto before =
                comes_first<side>(key, own, [&] { return lane >= block - distance + banks - j; });
            rank = add_where(rank, before);
          };
          if (block + banks <= distance) {
            use_all<Side::before, rounds_in_flight(1)>(banks, read, compare);
          } else if (block >= distance + mp.width()) {
            use_all<Side::after, rounds_in_flight(1)>(banks, read, compare);
          } else {
            use_all<Side::among, rounds_in_flight(1)>(banks, read, compare);
          }
        }
      }
    };
    rank_key_of_lane(mp, n, in, out, count);
  }
};

/// One task sorts all keys in their own array: it holds them in shared memory, and its lanes take
/// V keys at a time (the seed's UPD2).
template <class Key>
struct RankInPlace {
  static constexpr const char* name = "rank_in_place";

  std::int32_t n;  ///< keys

  [[nodiscard]] std::int64_t shared_bytes() const { return n * std::int64_t{sizeof(Key)}; }

  template <class Mp, class Keys>
  AGPUSIM_FN void operator()(Mp& mp, Keys keys) const {
    const auto lane = mp.lane();
    const auto view = mp.template shared<Key>(n, "keys");
    load_tile(mp, keys, n, n, write_to(view));
    mp.sync();
    for (std::int32_t first = 0; first < n; first += mp.width()) {
      const std::int32_t own_count = min(mp.width(), n - first);
      const auto place = lane + first;
      auto own = mp.varying(Key{});
      for_first(mp, own_count, mp.width(), lane, [&] { own = view.read(place); });
      auto count = mp.varying(std::int32_t{0});
      const auto read = [&](std::int32_t at) { return view.read(mp.varying(at)); };
      const auto compare = [&]<Side side>(const auto& key, std::int32_t at) {
        count = add_where(count, comes_first<side>(key, own, [&] { return place > at; }));
      };
      use_rounds<rounds_in_flight(1)>(n, 1, Range{first, first + own_count}, read, compare);
      for_first(mp, own_count, mp.width(), lane, [&] { keys.write(count, own); });
    }
  }
};

/// RankInPlace with the ranks in global memory, and a lane's own key read again for every
/// comparison (the seed's UPD1, which UPD2 improves on).
template <class Key>
struct RankInPlaceArray {
  static constexpr const char* name = "rank_in_place_array";

  std::int32_t n;  ///< keys

  [[nodiscard]] std::int64_t shared_bytes() const { return n * std::int64_t{sizeof(Key)}; }

  template <class Mp, class Keys, class Ranks>
  AGPUSIM_FN void operator()(Mp& mp, Keys keys, Ranks ranks) const {
    const auto view = mp.template shared<Key>(n, "keys");
    load_tile(mp, keys, n, n, write_to(view));
    mp.sync();
    for_lanes(mp, n, [&](const auto& place) { ranks.write(place, mp.varying(std::int32_t{0})); });
    for (std::int32_t first = 0; first < n; first += mp.width()) {
      const std::int32_t own_count = min(mp.width(), n - first);
      const auto place = mp.lane() + first;
      const auto count = [&]<Side side>(std::int32_t begin, std::int32_t end) {
        for (std::int32_t i = begin; i < end; ++i) {
          const auto before = comes_first<side>(view.read(mp.varying(i)), view.read(place),
                                                [&] { return place > i; });
          mp.when(before, [&] { ranks.write(place, ranks.read(place) + 1); });
        }
      };
      for_first(mp, own_count, mp.width(), mp.lane(), [&] {
        count.template operator()<Side::before>(0, first);
        count.template operator()<Side::among>(first, first + own_count);
        count.template operator()<Side::after>(first + own_count, n);
      });
    }
    for_lanes(mp, n, [&](const auto& place) { keys.write(ranks.read(place), view.read(place)); });
  }
};

}  // namespace agpusim::rank_sort
