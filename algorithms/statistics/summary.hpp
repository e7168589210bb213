#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/model/run/run.hpp"

namespace agpusim {

/// What statistics say of n numbers. With a NaN among them the extremes, mean and variance are NaN
/// and both indices are that of the first NaN (as in NumPy); with an infinity the variance is NaN
/// and the mean an infinity, or NaN where both infinities occur.
template <class T>
struct Summary {
  std::int64_t n = 0;
  T min{};
  std::int64_t argmin = 0;  ///< the first of equal ones
  T max{};
  std::int64_t argmax = 0;  ///< the first of equal ones
  double mean = 0;
  double variance = 0;  ///< sum of squared deviations over n (seed 003, formula 2.2.2)
};

/// By the definitions: integers exactly and then rounded, floating-point numbers in two passes of
/// long double. Throws UsageError for no numbers: they have no minimum.
template <class T>
[[nodiscard]] Summary<T> exact_summary(const std::vector<T>& values);

/// How far an algorithm's mean and variance may be from the exact ones.
struct SummaryTolerance {
  double mean = 0;
  double variance = 0;
};

/// Checksum of a result whose mean and variance count as the exact ones where they are within the
/// tolerance: equal to that of the exact summary if and only if the result is right.
template <class T>
[[nodiscard]] std::uint64_t summary_checksum(const Summary<T>& result, const Summary<T>& exact,
                                             const SummaryTolerance& tolerance);

/// Minimum, maximum and where they are, for a reader.
template <class T>
[[nodiscard]] std::vector<NamedValue> extreme_values(const Summary<T>& summary);

/// Mean, variance (of the population and of the sample) and standard deviation, for a reader.
template <class T>
[[nodiscard]] std::vector<NamedValue> moment_values(const Summary<T>& summary);

}  // namespace agpusim
