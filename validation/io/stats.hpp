#pragma once

#include <vector>

namespace agpusim {

/// The range in which most of a sample lies, in the unit of the sample.
struct Spread {
  double low = 0;
  double high = 0;
};

// Every function throws std::invalid_argument for an empty sample, a value that is not finite, and
// for two samples of different length.

[[nodiscard]] double mean(const std::vector<double>& values);
[[nodiscard]] double median(const std::vector<double>& values);

/// The value below which the fraction `q` in 0..1 of the sample lies, linear between neighbours
/// (type 7 of Hyndman and Fan). Throws std::invalid_argument for q outside 0..1.
[[nodiscard]] double quantile(const std::vector<double>& values, double q);

/// 5 % and 95 % quantiles; minimum and maximum of fewer than 20 values, where 5 % is less than one.
[[nodiscard]] Spread low_high(const std::vector<double>& values);

/// Linear correlation in -1..1; NaN when one of the samples is constant.
[[nodiscard]] double pearson(const std::vector<double>& x, const std::vector<double>& y);

/// Rank correlation in -1..1, equal values share their average rank; NaN when a sample is constant.
[[nodiscard]] double spearman(const std::vector<double>& x, const std::vector<double>& y);

/// Mean of |predicted / measured - 1|, a fraction. Throws std::invalid_argument when a measured
/// value is not positive.
[[nodiscard]] double mape(const std::vector<double>& predicted,
                          const std::vector<double>& measured);

/// The share of errors of at most 10 %; `errors` are absolute and not empty.
[[nodiscard]] double share_within(const std::vector<double>& errors);

}  // namespace agpusim
