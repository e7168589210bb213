#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/statistics/exact_moments.hpp"
#include "agpusim/algorithms/statistics/extremes.hpp"
#include "agpusim/algorithms/statistics/moments.hpp"
#include "agpusim/algorithms/statistics/summary.hpp"

// The last record, read by the host.
namespace agpusim::statistics {

/// The minimum, maximum and their indices from the fields of Extremes<T>.
template <class T>
[[nodiscard]] Summary<T> summary_of_extremes(const word_t<T>* fields, std::int64_t n);

/// Mean and variance of `summary`, which has its extremes, from the fields of a policy.
template <class T>
void set_moments(Summary<T>& summary, const word_t<T>* fields, NoMoments<T>);
template <class T>
void set_moments(Summary<T>& summary, const double* fields, ShiftedMoments<T>);
template <class T>
void set_moments(Summary<T>& summary, const double* fields, TextbookMoments<T>);
template <class T>
void set_moments(Summary<T>& summary, const std::uint64_t* fields, ExactMoments<T>);

/// How the additions of a run are nested.
struct AdditionShape {
  std::int64_t chain = 0;  ///< additions that a number takes part in, one after the other, at most
  double share = 0;        ///< share of the numbers that one task takes
};

/// What a policy's result may differ from the exact one; u is the unit roundoff.
template <class T>
[[nodiscard]] SummaryTolerance tolerance(const Summary<T>& exact, const AdditionShape& shape,
                                         NoMoments<T>);
/// Tolerance of the variance: 1e-11 relative, and what merging rounds off means far from 0, 4uκ
/// relative with κ² = 1 + (μ/σ)² (theory 3.13), and what a task loses whose first number is far
/// from the others, chain·u·share·(max - min)². Of the mean: 1e-12 of the largest magnitude.
template <class T>
[[nodiscard]] SummaryTolerance tolerance(const Summary<T>& exact, const AdditionShape& shape,
                                         ShiftedMoments<T>);
/// The first-order bounds of the formula (theory 3.13): 4·chain·u times max|x| and σ² + μ².
template <class T>
[[nodiscard]] SummaryTolerance tolerance(const Summary<T>& exact, const AdditionShape& shape,
                                         TextbookMoments<T>);
/// Rounding of the exact result: 1e-15 relative.
template <class T>
[[nodiscard]] SummaryTolerance tolerance(const Summary<T>& exact, const AdditionShape& shape,
                                         ExactMoments<T>);

/// The exact summary of a run's input; that of the last input is kept, since measurements ask for
/// it several times.
template <class T>
[[nodiscard]] Summary<T> exact_summary_of(const RunConfig& config);

/// What a program with this policy should find: without moments, mean and variance are 0.
template <class T, class Moments>
[[nodiscard]] Summary<T> expected(const RunConfig& config) {
  Summary<T> summary = exact_summary_of<T>(config);
  if constexpr (Moments::fields == 0) summary.mean = summary.variance = 0;
  return summary;
}

/// The checksum of an exact result.
template <class T, class Moments>
[[nodiscard]] std::uint64_t expected_checksum(const RunConfig& config) {
  const Summary<T> exact = expected<T, Moments>(config);
  return summary_checksum(exact, exact, {});
}

}  // namespace agpusim::statistics
