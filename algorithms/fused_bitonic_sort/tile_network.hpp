#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/network/bitonic_registers.hpp"
#include "agpusim/algorithms/common/network/key_places.hpp"
#include "agpusim/model/registers.hpp"

namespace agpusim::fused_bitonic_sort {

/// The lowest bit that is set in j > 0.
AGPUSIM_FN constexpr std::int32_t lowest_bit(std::int32_t j) {
  std::int32_t bit = 0;
  while ((j >> bit & 1) == 0) ++bit;
  return bit;
}

/// The way through the places of a lane's 2^q keys, of which bit k of the register's number changes
/// bits of its own: from register j-1 to register j the bits 0..lowest_bit(j) of the number change,
/// and with them steps[lowest_bit(j)] of the place.
template <std::int32_t q>
using Steps = Registers<std::int32_t, q>;

/// The steps through places of which `place(j)` is the part of register j.
template <std::int32_t q, class Place>
AGPUSIM_FN Steps<q> make_steps(Place place) {
  return make_registers<q>([&](std::int32_t k) { return place((std::int32_t{2} << k) - 1); });
}

/// Batcher's network over a tile of keys in shared memory. Its keys are dealt out to lanes in
/// groups of 2^q: in layout p, group g consists of the keys whose index has the bits of g around
/// those of the register at p..p+q-1. In a sweep every lane takes group after group through its
/// registers for up to q strides.
template <std::int32_t q, class Mp, class Tile>
class TileNetwork {
 public:
  using Key = typename Tile::value_type;
  using Index = typename Mp::template Lane<std::int32_t>;
  using Keys = Registers<typename Mp::template Lane<Key>, 1 << q>;

  struct Layout {
    std::int32_t p;
    Steps<q> steps;
  };

  /// `tile` has 2^bits keys, which is V·2^q or more.
  AGPUSIM_FN TileNetwork(Mp& mp, const Tile& tile, std::int32_t bits)
      : mp_(mp),
        tile_(tile),
        lane_(mp.lane()),
        bits_(bits),
        places_{bits - q, log2_of(mp.template lanes_per_pass<Key>())} {}

  /// The layout in which register j of all groups holds neighbouring keys.
  [[nodiscard]] AGPUSIM_FN std::int32_t top() const { return bits_ - q; }

  [[nodiscard]] AGPUSIM_FN Layout layout(std::int32_t p) const {
    return {p, make_steps<q>([&](std::int32_t j) { return places_.of_register(j, p); })};
  }
  /// Layout p with the bits below p inverted in the upper half of the registers: there a group
  /// holds the keys that the first stride of a merge compares with those of its lower half.
  [[nodiscard]] AGPUSIM_FN Layout mirrored(std::int32_t p) const {
    Layout result = layout(p);
    result.steps[q - 1] ^= places_.place((std::int32_t{1} << p) - 1);
    return result;
  }

  /// Calls `body(group)` for all groups, V at a time.
  template <class Body>
  AGPUSIM_FN void for_groups(Body body) const {
    for (std::int32_t start = 0; start < std::int32_t{1} << top(); start += mp_.width()) {
      body(lane_ + start);
    }
  }

  [[nodiscard]] AGPUSIM_FN Keys read(const Index& group, const Layout& layout) const {
    return read_from(base(group, layout.p), layout);
  }
  AGPUSIM_FN void write(const Index& group, const Layout& layout, const Keys& keys) const {
    write_from(base(group, layout.p), layout, keys);
  }

  /// Calls `strides(keys)` with the registers of each group.
  template <class Strides>
  AGPUSIM_FN void sweep(const Layout& layout, Strides strides) const {
    mp_.sync();
    for_groups([&](const auto& group) {
      const auto first = base(group, layout.p);
      Keys keys = read_from(first, layout);
      strides(keys);
      write_from(first, layout, keys);
    });
  }

  /// The strides 2^(from-1), ..., 2^to, up to q of them in a sweep.
  AGPUSIM_FN void halve(std::int32_t from, std::int32_t to) const {
    while (from > to) {
      const std::int32_t next = from - q > to ? from - q : to;
      sweep(layout(next), [&](Keys& keys) { halve_registers<q>(keys, from - next); });
      from = next;
    }
  }

  /// Sorts the tile, of which the groups of layout 0 are sorted.
  AGPUSIM_FN void sort() const {
    for (std::int32_t size = q + 1; size <= bits_; ++size) {
      const std::int32_t p = size - q;
      sweep(mirrored(p), [](Keys& keys) { merge_registers<q>(keys, 0); });
      halve(p, 0);
    }
  }

 private:
  [[nodiscard]] AGPUSIM_FN Index base(const Index& group, std::int32_t p) const {
    return places_.place(places_.index(group, p));
  }
  [[nodiscard]] AGPUSIM_FN Keys read_from(Index at, const Layout& layout) const {
    return make_registers<(1 << q)>([&](std::int32_t j) {
      if (j > 0) at = at ^ layout.steps[lowest_bit(j)];
      return tile_.read(at);
    });
  }
  AGPUSIM_FN void write_from(Index at, const Layout& layout, const Keys& keys) const {
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < (1 << q); ++j) {
      if (j > 0) at = at ^ layout.steps[lowest_bit(j)];
      tile_.write(at, keys[j]);
    }
  }

  Mp& mp_;
  Tile tile_;
  Index lane_;
  std::int32_t bits_;
  KeyPlaces<q> places_;
};

}  // namespace agpusim::fused_bitonic_sort
