#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/pram/logarithms.hpp"

namespace agpusim {

/// Cells for the sums of the aligned intervals of m >= 1 elements whose lengths are powers of two:
/// level l has ⌈m/2^l⌉ sums, of the elements g·2^l .. (g+1)·2^l - 1. Fewer than 2m + lg m + 1 cells
/// (theory 3.2).
class DyadicSums {
 public:
  explicit DyadicSums(std::int64_t m) : twice_(2 * m), levels_(floor_lg(m) + 1) {}

  /// ⌊lg m⌋ + 1: the lengths 1, 2, 4, ..., 2^⌊lg m⌋.
  [[nodiscard]] std::int64_t levels() const { return levels_; }
  [[nodiscard]] std::int64_t cells() const { return first_of(levels_); }
  /// The cell of sum g of level l. Level l starts at cell 2m - ⌊2m/2^l⌋ + l, which leaves room for
  /// ⌊2m/2^l⌋ - ⌊2m/2^(l+1)⌋ + 1 >= ⌈m/2^l⌉ sums.
  [[nodiscard]] std::int64_t cell(std::int64_t level, std::int64_t group) const {
    return first_of(level) + group;
  }

 private:
  [[nodiscard]] std::int64_t first_of(std::int64_t level) const {
    return twice_ - (twice_ >> level) + level;
  }

  std::int64_t twice_;
  std::int64_t levels_;
};

}  // namespace agpusim
