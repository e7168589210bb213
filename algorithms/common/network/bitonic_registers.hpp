#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/network/key_places.hpp"
#include "agpusim/algorithms/common/network/registers.hpp"
#include "agpusim/model/scalar.hpp"

// Batcher's network with 2^q keys in the registers of each lane: of lg(V·2^q) strides of a merge
// only every q-th goes through shared memory. Comparators all point one way: a merge of two sorted
// halves begins with a comparison against the reversed other half.
namespace agpusim {

/// Puts the smaller key first.
template <class Lane>
AGPUSIM_FN void order(Lane& a, Lane& b) {
  const auto smaller = min(a, b);
  b = max(a, b);
  a = smaller;
}

/// The strides 2^(bits-1), ..., 2^low between registers.
template <std::int32_t q, class Keys>
AGPUSIM_FN void halve_registers(Keys& keys, std::int32_t bits, std::int32_t low = 0) {
  AGPUSIM_UNROLL
  for (std::int32_t bit = q - 1; bit >= 0; --bit) {
    if (bit >= bits || bit < low) continue;
    AGPUSIM_UNROLL
    for (std::int32_t i = 0; i < (1 << q); ++i) {
      if ((i >> bit & 1) == 0) order(keys[i], keys[i | 1 << bit]);
    }
  }
}

/// The strides 2^(q-1), ..., 2^low of a merge: the first compares the halves of the registers, the
/// second half in reverse.
template <std::int32_t q, class Keys>
AGPUSIM_FN void merge_registers(Keys& keys, std::int32_t low) {
  constexpr std::int32_t last = (1 << q) - 1;
  AGPUSIM_UNROLL
  for (std::int32_t i = 0; i < (1 << (q - 1)); ++i) order(keys[i], keys[last - i]);
  halve_registers<q>(keys, q - 1, low);
}

/// Sorts the registers of each lane.
template <std::int32_t q, class Keys>
AGPUSIM_FN void sort_registers(Keys& keys) {
  AGPUSIM_UNROLL
  for (std::int32_t size = 1; size <= q; ++size) {
    AGPUSIM_UNROLL
    for (std::int32_t i = 0; i < (1 << q); ++i) {
      if ((i >> (size - 1) & 1) == 0) order(keys[i], keys[i ^ ((1 << size) - 1)]);
    }
    halve_registers<q>(keys, size - 1);
  }
}

/// The network over one array of V·2^q keys in shared memory, through which lanes exchange keys.
template <std::int32_t q, class Mp, class Tile>
class BitonicRegisters {
 public:
  static constexpr std::int32_t per_lane = 1 << q;
  using Key = typename Tile::value_type;
  using Index = typename Mp::template Lane<std::int32_t>;
  using Keys = Registers<typename Mp::template Lane<Key>, per_lane>;

  /// `tile` has at least V·2^q keys; V and b are powers of two.
  AGPUSIM_FN BitonicRegisters(Mp& mp, const Tile& tile)
      : mp_(mp),
        tile_(tile),
        lane_(mp.lane()),
        places_{log2_of(mp.width()), log2_of(mp.template lanes_per_pass<Key>())} {}

  [[nodiscard]] AGPUSIM_FN const KeyPlaces<q>& places() const { return places_; }
  /// Where a lane's keys lie in layout p, up to the register's part.
  [[nodiscard]] AGPUSIM_FN Index base(std::int32_t p) const {
    return places_.place(places_.index(lane_, p));
  }

  /// Writes the keys of layout p to their places.
  AGPUSIM_FN void write(const Keys& keys, const Index& base, std::int32_t p) const {
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < per_lane; ++j) {
      tile_.write(base ^ places_.of_register(j, p), keys[j]);
    }
  }
  /// Reads the keys of layout p.
  AGPUSIM_FN void read(Keys& keys, const Index& base, std::int32_t p) const {
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < per_lane; ++j) {
      keys[j] = tile_.read(base ^ places_.of_register(j, p));
    }
  }

  /// The strides below 2^p down to 1, from layout p with `base` to layout 0.
  AGPUSIM_FN void halve_below(Keys& keys, Index base, std::int32_t p) const {
    AGPUSIM_UNROLL
    for (std::int32_t next = 0; p > 0; p = next) {
      next = places_.below(p);
      write(keys, base, p);
      mp_.sync();
      base = this->base(next);
      read(keys, base, next);
      halve_registers<q>(keys, p - next);
    }
  }

  /// The bases of the layouts that a merge of all keys passes through, for merge().
  [[nodiscard]] AGPUSIM_FN auto merge_bases() const {
    return make_registers<layouts>(
        [&](std::int32_t i) { return i == 0 || layout(i - 1) > 0 ? base(layout(i)) : lane_; });
  }

  /// The bases of keys that lie `offset` keys, a multiple of V·2^q, further in the tile.
  template <class Bases>
  [[nodiscard]] AGPUSIM_FN auto moved(const Bases& bases, std::int32_t offset) const {
    return make_registers<layouts>(
        [&](std::int32_t i) { return i == 0 || layout(i - 1) > 0 ? bases[i] + offset : lane_; });
  }

  /// Merges two sorted halves of all keys, of which the second comes in reverse; from layout rows()
  /// to layout 0, the base of which is returned.
  template <class Bases>
  AGPUSIM_FN Index merge(Keys& keys, const Bases& bases) const {
    halve_registers<q>(keys, q);
    return merge_below<0>(keys, bases);
  }

  /// Sorts groups of 2^size_bits neighbouring keys; before and after in layout 0.
  AGPUSIM_FN void sort(Keys& keys, std::int32_t size_bits) const {
    sort_registers<q>(keys);
    AGPUSIM_UNROLL
    for (std::int32_t bits = q + 1; bits <= size_bits; ++bits) {
      // The upper half of a group goes to its places in reverse.
      const auto own = places_.index(lane_, 0);
      const std::int32_t half = std::int32_t{1} << (bits - 1);
      const auto reversed = own ^ ((own >> (bits - 1)) & 1) * (half - 1);
      mp_.sync();
      write(keys, places_.place(reversed), 0);
      mp_.sync();
      const std::int32_t p = bits - q;
      const auto base = this->base(p);
      read(keys, base, p);
      halve_registers<q>(keys, q);
      halve_below(keys, base, p);
    }
  }

 private:
  // Layouts of a merge of max_width lanes.
  static constexpr std::int32_t most_lane_bits = 10;
  static constexpr std::int32_t layouts = 1 + (most_lane_bits + q - 1) / q;

  /// Layout number i of a merge.
  [[nodiscard]] AGPUSIM_FN std::int32_t layout(std::int32_t i) const {
    const std::int32_t p = places_.rows() - i * q;
    return p > 0 ? p : 0;
  }

  /// The strides below layout number i. A loop unrolled by hand: `bases` has no addresses.
  template <std::int32_t i, class Bases>
  AGPUSIM_FN Index merge_below(Keys& keys, const Bases& bases) const {
    if constexpr (i + 1 < layouts) {
      const std::int32_t p = layout(i);
      if (p > 0) {
        const std::int32_t next = layout(i + 1);
        write(keys, bases[i], p);
        mp_.sync();
        read(keys, bases[i + 1], next);
        halve_registers<q>(keys, p - next);
        return merge_below<i + 1>(keys, bases);
      }
    }
    return bases[i];
  }

  Mp& mp_;
  Tile tile_;
  Index lane_;
  KeyPlaces<q> places_;
};

}  // namespace agpusim
