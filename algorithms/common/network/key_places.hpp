#pragma once

#include <cstdint>

#include "agpusim/model/fn.hpp"

namespace agpusim {

/// lg of a power of two.
AGPUSIM_FN constexpr std::int32_t log2_of(std::int32_t power) {
  std::int32_t bits = 0;
  while ((std::int32_t{1} << bits) < power) ++bits;
  return bits;
}

/// Where V·2^q keys lie while V lanes sort them with 2^q keys in the registers of each. In layout p
/// register j of a lane holds the key whose index has the bits of j at p..p+q-1 and the lane's bits
/// elsewhere, so that the strides 2^p..2^(p+q-1) need no other lane. To change the layout, keys go
/// through shared memory, key i at place(i): a permutation that is linear over GF(2), under which
/// every layout accesses distinct banks.
template <std::int32_t q>
struct KeyPlaces {
  std::int32_t lane_bits;  ///< lg V
  std::int32_t bank_bits;  ///< lg of the lanes that one pass over the banks serves

  /// The layout in which register j of all lanes holds V neighbouring keys.
  [[nodiscard]] AGPUSIM_FN std::int32_t rows() const { return lane_bits; }
  /// The next layout after p on the way to the smaller strides.
  [[nodiscard]] AGPUSIM_FN static std::int32_t below(std::int32_t p) { return p < q ? 0 : p - q; }

  /// The part of a key's index that its lane decides in layout p.
  template <class Lane>
  [[nodiscard]] AGPUSIM_FN Lane index(const Lane& lane, std::int32_t p) const {
    if (p == 0) return lane << q;
    if (p == lane_bits) return lane;
    const std::int32_t low = (std::int32_t{1} << p) - 1;
    return ((lane & ~low) << q) | (lane & low);
  }

  /// The q index bits above the banks, repeated from the highest bank bit downwards: whichever q
  /// neighbouring index bits lie in registers, these bits vary in their stead.
  template <class Index>
  [[nodiscard]] AGPUSIM_FN Index place(const Index& i) const {
    const auto above = (i >> bank_bits) & ((std::int32_t{1} << q) - 1);
    auto result = i;
    for (std::int32_t shift = bank_bits - q; shift > -q; shift -= q) {
      if (shift >= 0) {
        result = result ^ (above << shift);
      } else {
        result = result ^ (above >> -shift);
      }
    }
    return result;
  }

  /// The place of a key within its lane's places in layout p.
  [[nodiscard]] AGPUSIM_FN std::int32_t of_register(std::int32_t j, std::int32_t p) const {
    return place(j << p);
  }
};

}  // namespace agpusim
