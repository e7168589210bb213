#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/network/key_places.hpp"
#include "agpusim/model/registers.hpp"
#include "agpusim/model/scalar.hpp"

// Batcher's network with 2^q keys in the registers of each lane: of lg(V·2^q) strides of a merge
// only every q-th goes through shared memory. Comparators all point one way: a merge of two sorted
// halves begins with a comparison against the reversed other half. (Shuffles instead of shared
// memory for the last strides take more instructions, and a tenth more time on an H200.)
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

  /// Where a lane's keys lie.
  using Places = Registers<Index, per_lane>;

  /// In layout p.
  [[nodiscard]] AGPUSIM_FN Places in_layout(std::int32_t p) const {
    const auto base = places_.place(places_.index(lane_, p));
    return make_registers<per_lane>(
        [&](std::int32_t j) { return base ^ places_.of_register(j, p); });
  }

  /// Places that lie `offset` keys further, a multiple of V·2^q.
  [[nodiscard]] AGPUSIM_FN static Places moved(const Places& at, const Index& offset) {
    return make_registers<per_lane>([&](std::int32_t j) { return at[j] + offset; });
  }

  /// The last `rows` rows of V keys in layout rows(), from the last key to the first.
  template <std::int32_t rows>
  [[nodiscard]] AGPUSIM_FN auto reversed() const {
    const auto base = places_.place(per_lane * mp_.width() - 1 - lane_);
    return make_registers<rows>(
        [&](std::int32_t j) { return base ^ places_.of_register(j, places_.rows()); });
  }

  /// Writes the keys to their places.
  AGPUSIM_FN void write(const Keys& keys, const Places& at) const {
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < per_lane; ++j) tile_.write(at[j], keys[j]);
  }
  /// Reads the keys.
  AGPUSIM_FN void read(Keys& keys, const Places& at) const {
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < per_lane; ++j) keys[j] = tile_.read(at[j]);
  }

  /// The strides below 2^p down to 1, from layout p, in which keys are `at`, to layout 0.
  AGPUSIM_FN void halve_below(Keys& keys, Places at, std::int32_t p) const {
    AGPUSIM_UNROLL
    for (std::int32_t next = 0; p > 0; p = next) {
      next = places_.below(p);
      write(keys, at);
      mp_.sync();
      at = in_layout(next);
      read(keys, at);
      halve_registers<q>(keys, p - next);
    }
  }

  /// The places of the layouts that a merge of all keys passes through, for merge(): what many
  /// merges have in common.
  [[nodiscard]] AGPUSIM_FN auto merge_places() const {
    return make_registers<layouts>([&](std::int32_t i) {
      if (is_passed(i)) return in_layout(layout(i));
      return make_registers<per_lane>([&](std::int32_t) { return lane_; });
    });
  }

  /// The places `at` of merge_places(), `offset` keys, a multiple of V·2^q, further.
  template <class MergePlaces>
  [[nodiscard]] AGPUSIM_FN auto merge_places(const MergePlaces& at, const Index& offset) const {
    return make_registers<layouts>(
        [&](std::int32_t i) { return is_passed(i) ? moved(at[i], offset) : at[i]; });
  }

  /// Merges two sorted halves of all keys, of which the second comes in reverse; from layout rows()
  /// to layout 0, the places of which are returned.
  template <class MergePlaces>
  AGPUSIM_FN const Places& merge(Keys& keys, const MergePlaces& at) const {
    halve_registers<q>(keys, q);
    return merge_below<0>(keys, at);
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
      const auto base = places_.place(reversed);
      mp_.sync();
      AGPUSIM_UNROLL
      for (std::int32_t j = 0; j < per_lane; ++j) {
        tile_.write(base ^ places_.of_register(j, 0), keys[j]);
      }
      mp_.sync();
      const std::int32_t p = bits - q;
      const Places at = in_layout(p);
      read(keys, at);
      halve_registers<q>(keys, q);
      halve_below(keys, at, p);
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
  [[nodiscard]] AGPUSIM_FN bool is_passed(std::int32_t i) const {
    return i == 0 || layout(i - 1) > 0;
  }

  /// The strides below layout number i. A loop unrolled by hand: registers have no addresses.
  template <std::int32_t i, class MergePlaces>
  AGPUSIM_FN const Places& merge_below(Keys& keys, const MergePlaces& at) const {
    if constexpr (i + 1 < layouts) {
      const std::int32_t p = layout(i);
      if (p > 0) {
        write(keys, at[i]);
        mp_.sync();
        read(keys, at[i + 1]);
        halve_registers<q>(keys, p - layout(i + 1));
        return merge_below<i + 1>(keys, at);
      }
    }
    return at[i];
  }

  Mp& mp_;
  Tile tile_;
  Index lane_;
  KeyPlaces<q> places_;
};

}  // namespace agpusim
