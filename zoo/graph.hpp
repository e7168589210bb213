#pragma once

#include "common.hpp"

namespace zoo {

/// Compressed rows of a fixed random matrix of n elements: ceil(n/8) rows of 1 to 15 elements.
[[nodiscard]] inline std::int64_t rows_of(std::int64_t n) { return ceil_div(n, 8); }

/// Where each row begins, and at last n.
[[nodiscard]] inline std::vector<std::int32_t> row_starts(std::int64_t n) {
  return vector_of(rows_of(n) + 1, [n](std::int64_t row) {
    const auto shift =
        static_cast<std::int64_t>(agpusim::random_bits(10, static_cast<std::uint64_t>(row)) % 8);
    if (row == 0 || row == rows_of(n)) return static_cast<std::int32_t>(row == 0 ? 0 : n);
    return static_cast<std::int32_t>(std::min(n, row * 8 + shift));
  });
}
/// The column of each element.
[[nodiscard]] inline std::vector<std::int32_t> columns_of(std::int64_t n) {
  return vector_of(n, [rows = static_cast<std::uint64_t>(rows_of(n))](std::int64_t i) {
    return static_cast<std::int32_t>(agpusim::random_bits(11, static_cast<std::uint64_t>(i)) %
                                     rows);
  });
}

}  // namespace zoo
