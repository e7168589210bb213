#pragma once

#include <bit>
#include <cstdint>

namespace agpusim {

/// ⌊lg x⌋ for x >= 1.
[[nodiscard]] constexpr std::int64_t floor_lg(std::int64_t x) {
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(x))) - 1;
}

/// ⌈lg x⌉ for x >= 1.
[[nodiscard]] constexpr std::int64_t ceil_lg(std::int64_t x) {
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(x - 1)));
}

/// Bits that are set in 0, 1, ..., x-1, together.
[[nodiscard]] constexpr std::int64_t set_bits_below(std::int64_t x) {
  std::int64_t bits = 0;
  for (std::int64_t bit = 1; bit < x; bit *= 2) {  // set in the upper half of each 2·bit numbers
    const std::int64_t rest = x % (2 * bit);
    bits += x / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
  }
  return bits;
}

/// log* x for x >= 1: how often lg is taken until the value is at most 1. On integers that is how
/// often ⌈lg⌉ is taken, because lg x <= 2^k exactly if ⌈lg x⌉ <= 2^k.
[[nodiscard]] constexpr std::int64_t log_star(std::int64_t x) {
  std::int64_t times = 0;
  for (; x > 1; x = ceil_lg(x)) ++times;
  return times;
}

}  // namespace agpusim
