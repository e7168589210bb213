#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace agpusim::statistics {

/// A variance that a variant of `statistics` finds, and the true one; both in the square of the
/// numbers' unit.
struct VarianceError {
  std::string type;              ///< f32 or f64
  std::string variant;           ///< one_pass or textbook
  std::int64_t mean_over_sigma;  ///< mean/sigma of the distribution that the numbers come from
  double exact;                  ///< variance of the numbers as their type holds them (summary.hpp)
  double variance;               ///< what the program finds on the abstract machine
};

/// How the variance of n `normal` numbers with sigma = 1 fares as their mean grows: mean/sigma = 1,
/// 10, ..., 10^6 for either type and variant. The textbook formula's relative error is at worst of
/// the order of n·(mean/sigma)^2·u, u the unit roundoff: f32 loses all digits from 4096 on. That of
/// squared deviations merged pairwise is lg n·(mean/sigma)·u (theory 3.13, after Chan, Golub and
/// LeVeque, American Statistician 37(3), 1983). Throws UsageError unless n >= 1.
[[nodiscard]] std::vector<VarianceError> variance_errors(std::int64_t n, std::uint64_t seed);

}  // namespace agpusim::statistics
