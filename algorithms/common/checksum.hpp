#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "agpusim/model/differences.hpp"
#include "agpusim/model/fn.hpp"

namespace agpusim {

/// A bijection of 64-bit words that spreads every bit (the finaliser of SplitMix64, Steele et al.
/// 2014).
[[nodiscard]] AGPUSIM_FN constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Random bits number `i` of stream `seed`.
[[nodiscard]] constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t i) {
  return mix64(mix64(seed) + std::uint64_t{0x9e3779b97f4a7c15} * (i + 1));
}

/// Checksum of a sequence of numbers; depends on values and positions, not on the machine.
template <class T>
[[nodiscard]] std::uint64_t checksum(std::span<const T> values) {
  std::uint64_t sum = mix64(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += mix64(bits_of(values[i]) + std::uint64_t{0x9e3779b97f4a7c15} * (i + 1));
  }
  return sum;
}

template <class T>
[[nodiscard]] std::uint64_t checksum(const std::vector<T>& values) {
  return checksum(std::span<const T>(values));
}

}  // namespace agpusim
