#pragma once

#include <cstdint>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {

/// a + b. Throws RuleViolation when the sum needs more than 64 bits; what fits 64 bits but not the
/// words of the machine is found when it is written.
[[nodiscard]] inline std::int64_t add_words(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) [[unlikely]] {
    throw RuleViolation(
        fmt::format("{} + {} overflows a word of 64 bits; use smaller values", a, b));
  }
  return sum;
}

/// a * b, with the same care.
[[nodiscard]] inline std::int64_t multiply_words(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) [[unlikely]] {
    throw RuleViolation(
        fmt::format("{} * {} overflows a word of 64 bits; use smaller values", a, b));
  }
  return product;
}

}  // namespace agpusim
