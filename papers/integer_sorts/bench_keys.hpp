#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/model/fn.hpp"

// The keys that the benchmarks of integer sorts make on the device, one by one, so that a host
// knows any of them.
namespace agpusim::bench {

enum Kind : int {
  uniform,
  zipf,
  equal,
  sorted,
  mostly_one,  ///< 99 % are one value
  two_values,
  distinct,  ///< a permutation of the words of lg(range) bits
  few        ///< `range` different words of 32 bits
};
inline constexpr std::array<const char*, 8> kind_names = {
    "uniform", "zipf", "equal", "sorted", "99% one", "two values", "distinct", "few in 2^32"};

/// Random bits of element `i`.
AGPUSIM_FN std::uint64_t random_of(std::uint64_t i) { return mix64(i + 0x9e3779b97f4a7c15U); }

/// The upper 64 bits of a product.
AGPUSIM_FN std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t low = (a & 0xffffffffU) * (b & 0xffffffffU);
  const std::uint64_t left = (a >> 32) * (b & 0xffffffffU) + (low >> 32);
  const std::uint64_t right = (a & 0xffffffffU) * (b >> 32) + (left & 0xffffffffU);
  return (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32);
}

/// Key `i` of n keys below `range`, or of `few`.
AGPUSIM_FN std::uint64_t bench_key(int kind, std::int64_t i, std::int64_t n, std::uint64_t range) {
  const std::uint64_t random = random_of(77 + static_cast<std::uint64_t>(i));
  switch (kind) {
    case zipf: {  // density 1/x, frequent values all over the range
      const double u = static_cast<double>(random >> 11) * 0x1p-53;
      const auto rank = static_cast<std::uint64_t>(std::pow(static_cast<double>(range) + 1, u)) - 1;
      return (rank < range ? rank : range - 1) * 2654435761U % range;
    }
    case equal:
      return range / 3;
    case sorted:
      return static_cast<std::uint64_t>(i) * range / static_cast<std::uint64_t>(n);
    case mostly_one:
      return random % 100 != 0 ? range / 3 : high_product(random_of(random), range);
    case two_values:
      return random % 2 != 0 ? range / 3 : range / 2;
    case distinct: {
      int bits = 0;
      while (range >> (bits + 1) != 0) ++bits;
      auto key = static_cast<std::uint64_t>(i);
      for (const std::uint64_t odd : {0x9e3779b1U, 0x85ebca6bU, 0xc2b2ae35U}) {
        key = key * odd & (range - 1);
        key ^= key >> ((bits + 1) / 2);
      }
      return key;
    }
    case few:
      return random_of(12345 + random % range) & 0xffffffffU;
    default:
      return high_product(random, range);
  }
}

}  // namespace agpusim::bench
