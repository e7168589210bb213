#pragma once

#include <cstdint>

#include "agpusim/model/fn.hpp"
#include "agpusim/model/scalar.hpp"

namespace agpusim::radix_sort {

/// c, pairs of a lane in a tile: as many as registers hold.
inline constexpr std::int32_t pairs_per_lane = 16;
/// Most bits of a digit.
inline constexpr std::int32_t most_digit_bits = 8;

/// A digit of the keys: some bits of key - min_key, which is taken modulo 2^32.
struct Digit {
  std::uint32_t min_key;
  std::int32_t shift;  ///< bits below the digit
  std::int32_t bits;

  /// R, the values of the digit.
  [[nodiscard]] AGPUSIM_FN std::int32_t values() const { return std::int32_t{1} << bits; }
  /// The digit of a key, or of each lane's key.
  template <class Key>
  [[nodiscard]] AGPUSIM_FN auto of(const Key& key) const {
    return cast<std::int32_t>((key - min_key) >> shift & static_cast<std::uint32_t>(values() - 1));
  }
  /// A key with the largest digit.
  [[nodiscard]] AGPUSIM_FN std::uint32_t last_key() const {
    return min_key + (static_cast<std::uint32_t>(values() - 1) << shift);
  }
};

}  // namespace agpusim::radix_sort
