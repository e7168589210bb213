#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/element_of.hpp"
#include "agpusim/algorithms/scan/lanes.hpp"
#include "agpusim/model/loop.hpp"

// How one task scans a segment that is longer than its lanes: tile by tile, in shared memory, with
// a running carry. Each method has
//   scan<Operator>(mp, kind, in, out, length, carry): scans `length` elements from `in` to `out`
//   (which may be the same), `carry` being the fold of everything before them, the same in all
//   lanes; returns the fold of everything up to their end.
namespace agpusim::scan {

/// Rows of a tile whose loads are under way together.
inline constexpr std::int32_t tile_rows_in_flight = 8;

/// Tiles of V·c elements: lane i folds its c neighbours i·c, ..., i·c+c-1 (c odd: no bank conflict
/// when b is a power of two), a scan over the lanes, and each lane goes over its neighbours again.
/// O(c + lg V) instructions for V·c elements.
struct LaneSerial {
  std::int32_t width;     ///< V
  std::int32_t per_lane;  ///< c

  template <class T>
  [[nodiscard]] std::int64_t shared_bytes() const {
    return (std::int64_t{width} * per_lane + 2 * width) * std::int64_t{sizeof(T)};
  }

  template <class Operator, class Mp, class In, class Out, class Value>
  AGPUSIM_FN Value scan(Mp& mp, Kind kind, const In& in, const Out& out, std::int64_t length,
                        Value carry) const {
    const Operator combine;
    const auto lane = mp.lane();
    const std::int32_t tile_size = width * per_lane;
    const auto tile = tile_of<Operator>(mp, tile_size, "tile");
    const auto sums = tile_of<Operator>(mp, 2 * width, "sums");
    const auto own = lane * per_lane;
    auto turns = mp.turns();
    for (std::int64_t start = 0; start < length; start += tile_size) {
      start = turns.next(start, length, tile_size);
      const std::int64_t rest = length - start;
      const std::int32_t count = rest < tile_size ? static_cast<std::int32_t>(rest) : tile_size;
      const In from = in.from(start);
      const Out to = out.from(start);
      mp.sync();
      stream_lanes<tile_rows_in_flight>(
          mp, count, [&](const auto& i) { return from.read(i); },
          [&](const auto& i, const auto& x) { tile.write(i, element_of(from, x)); });
      mp.sync();
      // A whole tile needs no comparison.
      const auto for_own = [&](const auto& body) {
        if (count == tile_size) {
          for (std::int32_t j = 0; j < per_lane; ++j) body(own + j);
          return;
        }
        for (std::int32_t j = 0; j < per_lane; ++j) {
          const auto i = own + j;
          mp.when(i < count, [&] { body(i); });
        }
      };
      auto fold = identity_of<Operator>(mp);
      for_own([&](const auto& i) { fold = combine(fold, tile.read(i)); });
      const std::int32_t half = scan_lanes<Operator>(mp, sums, fold);
      mp.sync();
      auto prefix = carry;
      mp.when(lane >= 1, [&] { prefix = combine(carry, sums.read(lane + (half - 1))); });
      carry = combine(carry, sums.read(mp.varying(half + width - 1)));
      for_own([&](const auto& i) {
        const auto next = combine(prefix, tile.read(i));
        tile.write(i, kind == Kind::inclusive ? next : prefix);
        prefix = next;
      });
      mp.sync();
      for_lanes(mp, count, [&](const auto& i) { copy_element(tile, i, to); });
    }
    return carry;
  }
};

/// Tiles of V elements, one per lane: O(lg V) instructions for V elements, a factor of lg V above
/// the optimum, and no bank conflict.
struct KoggeStone {
  std::int32_t width;  ///< V

  template <class T>
  [[nodiscard]] std::int64_t shared_bytes() const {
    return 2 * std::int64_t{width} * std::int64_t{sizeof(T)};
  }

  template <class Operator, class Mp, class In, class Out, class Value>
  AGPUSIM_FN Value scan(Mp& mp, Kind kind, const In& in, const Out& out, std::int64_t length,
                        Value carry) const {
    using T = typename Operator::value_type;
    const Operator combine;
    const auto lane = mp.lane();
    const auto sums = mp.template shared<T>(2 * width, "sums");
    const std::int32_t lanes = mp.width();
    auto turns = mp.turns();
    for (std::int64_t start = 0; start < length; start += lanes) {
      start = turns.next(start, length, lanes);
      const std::int64_t rest = length - start;
      const std::int32_t count = rest < lanes ? static_cast<std::int32_t>(rest) : lanes;
      const In from = in.from(start);
      const Out to = out.from(start);
      auto mine = mp.varying(Operator::identity);
      for_first_lanes(mp, count, [&] { mine = from.read(lane); });
      mp.sync();
      const std::int32_t half = scan_lanes<Operator>(mp, sums, mine);
      mp.sync();
      auto prefix = carry;
      if (kind == Kind::inclusive) {
        prefix = combine(carry, mine);
      } else {
        mp.when(lane >= 1, [&] { prefix = combine(carry, sums.read(lane + (half - 1))); });
      }
      carry = combine(carry, sums.read(mp.varying(half + width - 1)));
      for_first_lanes(mp, count, [&] { to.write(lane, prefix); });
    }
    return carry;
  }
};

/// Where element i of a tile is: there.
struct Unpadded {
  template <class Index>
  [[nodiscard]] AGPUSIM_FN Index operator()(const Index& i) const {
    return i;
  }
};
/// An element of every b is left out, so that elements 2^j apart meet different banks.
struct Padded {
  std::int32_t banks;  ///< b

  template <class Index>
  [[nodiscard]] AGPUSIM_FN Index operator()(const Index& i) const {
    return i + i / banks;
  }
};
/// Padded where b is a power of two: a shift is cheap on CUDA.
struct PaddedByShift {
  std::int32_t lg_banks;  ///< lg b

  template <class Index>
  [[nodiscard]] AGPUSIM_FN Index operator()(const Index& i) const {
    return i + (i >> lg_banks);
  }
};

/// Tiles of 2P elements, P the largest power of two up to V: a balanced tree in shared memory, up
/// and down again (Blelloch, CMU-CS-90-190, 1990): O(P) additions, but at level j its lanes are
/// 2^(j+1) elements apart, which meets one bank again and again (theory L1) unless it is padded.
template <class Place>
struct Blelloch {
  std::int32_t width;  ///< V
  std::int32_t half;   ///< P: lanes that take part
  Place place;

  [[nodiscard]] AGPUSIM_FN std::int32_t tile_places() const { return place(2 * half - 1) + 1; }
  template <class T>
  [[nodiscard]] std::int64_t shared_bytes() const {
    return tile_places() * std::int64_t{sizeof(T)};
  }

  template <class Operator, class Mp, class In, class Out, class Value>
  AGPUSIM_FN Value scan(Mp& mp, Kind kind, const In& in, const Out& out, std::int64_t length,
                        Value carry) const {
    using T = typename Operator::value_type;
    const Operator combine;
    const auto lane = mp.lane();
    const auto tile = mp.template shared<T>(tile_places(), "tile");
    const auto last = mp.varying(place(2 * half - 1));
    auto turns = mp.turns();
    for (std::int64_t start = 0; start < length; start += 2 * half) {
      start = turns.next(start, length, 2 * half);
      const std::int64_t rest = length - start;
      const std::int32_t count = rest < 2 * half ? static_cast<std::int32_t>(rest) : 2 * half;
      const std::int32_t low = count < half ? count : half;
      const In from = in.from(start);
      const Out to = out.from(start);
      auto first = mp.varying(Operator::identity);
      auto second = mp.varying(Operator::identity);
      for_first_lanes(mp, low, [&] { first = from.read(lane); });
      if (count > half) {
        for_first_lanes(mp, count - half, [&] { second = from.read(lane + half); });
      }
      mp.sync();
      for_first_lanes(mp, half, [&] {
        tile.write(place(lane), first);
        tile.write(place(lane + half), second);
      });
      sweep_up<Operator>(mp, tile);
      mp.sync();
      const auto total = tile.read(last);
      mp.sync();
      mp.when(lane == 0, [&] { tile.write(last, mp.varying(Operator::identity)); });
      sweep_down<Operator>(mp, tile);
      mp.sync();
      const auto put = [&](const auto& i, const auto& own) {
        const auto before = combine(carry, tile.read(place(i)));
        to.write(i, kind == Kind::inclusive ? combine(before, own) : before);
      };
      for_first_lanes(mp, low, [&] { put(lane, first); });
      if (count > half) {
        for_first_lanes(mp, count - half, [&] { put(lane + half, second); });
      }
      carry = combine(carry, total);
    }
    return carry;
  }

 private:
  template <class Operator, class Mp, class Tile>
  AGPUSIM_FN void sweep_up(Mp& mp, const Tile& tile) const {
    const Operator combine;
    const auto lane = mp.lane();
    std::int32_t distance = 1;
    for (std::int32_t pairs = half; pairs > 0; pairs /= 2, distance *= 2) {
      mp.sync();
      mp.when(lane < pairs, [&] {
        const auto i = lane * (2 * distance) + (distance - 1);
        const auto right = place(i + distance);
        tile.write(right, combine(tile.read(place(i)), tile.read(right)));
      });
    }
  }
  template <class Operator, class Mp, class Tile>
  AGPUSIM_FN void sweep_down(Mp& mp, const Tile& tile) const {
    const Operator combine;
    const auto lane = mp.lane();
    std::int32_t distance = half;
    for (std::int32_t pairs = 1; pairs <= half; pairs *= 2, distance >>= 1) {
      mp.sync();
      mp.when(lane < pairs, [&] {
        const auto i = lane * (2 * distance) + (distance - 1);
        const auto left = place(i);
        const auto right = place(i + distance);
        const auto sum = tile.read(left);
        const auto before = tile.read(right);
        tile.write(left, before);
        tile.write(right, combine(before, sum));
      });
    }
  }
};

}  // namespace agpusim::scan
