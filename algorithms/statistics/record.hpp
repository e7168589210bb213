#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/statistics/exact_moments.hpp"
#include "agpusim/algorithms/statistics/extremes.hpp"
#include "agpusim/algorithms/statistics/moments.hpp"
#include "agpusim/algorithms/summary.hpp"

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

/// What a policy's result may differ from the exact one, when no number takes part in more than
/// `additions` additions one after the other.
template <class T>
[[nodiscard]] SummaryTolerance tolerance(const Summary<T>& exact, std::int64_t additions,
                                         NoMoments<T>);
/// Of the variance: 1e-11 relative. Of the mean: 1e-12 of the largest magnitude.
template <class T>
[[nodiscard]] SummaryTolerance tolerance(const Summary<T>& exact, std::int64_t additions,
                                         ShiftedMoments<T>);
/// The first-order bounds of the formula (theory 3.13): additions·u·max|x| and
/// additions·u·(σ² + μ²), twice.
template <class T>
[[nodiscard]] SummaryTolerance tolerance(const Summary<T>& exact, std::int64_t additions,
                                         TextbookMoments<T>);
/// Rounding of the exact result: 1e-15 relative.
template <class T>
[[nodiscard]] SummaryTolerance tolerance(const Summary<T>& exact, std::int64_t additions,
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
