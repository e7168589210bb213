#pragma once

#include <cstdint>

namespace agpusim {

[[nodiscard]] constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// Aligned units of `unit` words that the words start..start+words-1 touch (theory A13).
[[nodiscard]] std::int64_t units_of_range(std::int64_t start, std::int64_t words,
                                          std::int64_t unit);

/// The sum of units_of_range(start + i·stride, words, unit) over i = 0..count-1. O(unit) time: only
/// the residues of the starts matter.
[[nodiscard]] std::int64_t sum_units_of_ranges(std::int64_t start, std::int64_t stride,
                                               std::int64_t count, std::int64_t words,
                                               std::int64_t unit);

/// Distinct units touched by `count` elements of `words` words, each `stride` >= `words` words
/// after the one before it, the first at word `start`.
[[nodiscard]] std::int64_t units_of_progression(std::int64_t start, std::int64_t stride,
                                                std::int64_t count, std::int64_t words,
                                                std::int64_t unit);

/// Bank degree of `count` elements of `words` words at a stride of `stride` words over `banks`
/// banks (for one word: ⌈count / (banks / gcd(stride, banks))⌉, theory L1).
[[nodiscard]] std::int64_t degree_of_progression(std::int64_t stride, std::int64_t count,
                                                 std::int64_t words, std::int64_t banks);

/// lg(n!) by Stirling's series, in bits.
[[nodiscard]] double log2_factorial(double n);

}  // namespace agpusim
