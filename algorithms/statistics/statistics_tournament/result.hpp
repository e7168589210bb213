#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "agpusim/algorithms/common/numeric_input.hpp"
#include "agpusim/algorithms/statistics/minmax_tournament/rounds.hpp"
#include "agpusim/algorithms/statistics/summary.hpp"

namespace agpusim::tournament {

/// The summary of a run that its result is compared with: without the extremes, which two trees of
/// sums do not find.
template <class T>
[[nodiscard]] Summary<T> exact_moments(const RunConfig& config) {
  Summary<T> summary = exact_summary(numeric_input<T>(config));
  summary.min = summary.max = T{0};
  summary.argmin = summary.argmax = 0;
  return summary;
}

/// How far the algorithm may be from the exact mean and variance (theory 3.13), for u = 2^-24 and
/// E = variance + mean², the mean square. A tree of L = ⌈lg N⌉ rounds of f32 additions errs by at
/// most L·u/(1-L·u) of the sum of the magnitudes, hence the mean by little more than L·u·√E. The
/// mean square has positive terms, each rounded up to 5 times before the tree (conversion twice,
/// product, count, quotient): its error is little more than (L+5)·u·E, that of the square of the
/// mean 2L·u·E. Together less than 4(L+2)·u·E. Below the normal range of f32 every square errs by
/// up to 2^-149 instead.
template <class T>
[[nodiscard]] SummaryTolerance tolerance(const RunConfig& config, const Summary<T>& exact) {
  constexpr double unit = 0x1p-24;
  const auto rounds = static_cast<double>(rounds_of(config).count());
  const double mean_square = exact.variance + exact.mean * exact.mean;
  SummaryTolerance result;
  result.mean = std::is_integral_v<T> ? 0x1p-51 * std::abs(exact.mean)
                                      : (rounds + 1) * unit * std::sqrt(mean_square);
  result.variance =
      4 * (rounds + 2) * unit * mean_square + static_cast<double>(config.n + 1) * 0x1p-149;
  return result;
}

}  // namespace agpusim::tournament
