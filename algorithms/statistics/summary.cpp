#include "agpusim/algorithms/statistics/summary.hpp"

#include <cmath>
#include <type_traits>

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

template <class T>
void find_extremes(const std::vector<T>& values, Summary<T>& summary) {
  summary.min = summary.max = values.front();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    if (values[i] != values[i]) {
      summary.min = summary.max = values[i];
      summary.argmin = summary.argmax = at;
      return;
    }
    if (values[i] < summary.min) {
      summary.min = values[i];
      summary.argmin = at;
    }
    if (values[i] > summary.max) {
      summary.max = values[i];
      summary.argmax = at;
    }
  }
}

/// The exact mean and variance, rounded to double.
template <class T>
void exact_moments(const std::vector<T>& values, Summary<T>& summary) {
  using boost::multiprecision::int256_t;
  int256_t sum = 0;
  int256_t squares = 0;  // below 2^126 · 2^40
  for (const T value : values) {
    sum += value;
    squares += int256_t(value) * value;
  }
  const auto quotient = [](const int256_t& a, const int256_t& b) {
    // Correct to the last bit of long double but one, hence to half an ulp of double and little
    // more.
    const int256_t whole = a / b;
    const int256_t rest = a - whole * b;
    return static_cast<double>(whole.convert_to<long double>() +
                               rest.convert_to<long double>() / b.convert_to<long double>());
  };
  const int256_t n = summary.n;
  summary.mean = quotient(sum, n);
  summary.variance = quotient(n * squares - sum * sum, n * n);
}

template <class T>
void two_pass_moments(const std::vector<T>& values, Summary<T>& summary) {
  const auto n = static_cast<long double>(summary.n);
  long double sum = 0;
  for (const T value : values) sum += value;
  const long double mean = sum / n;
  long double rest = 0;  // what rounding left out of the mean
  long double squares = 0;
  for (const T value : values) {
    const long double deviation = value - mean;
    rest += deviation;
    squares += deviation * deviation;
  }
  summary.mean = static_cast<double>(mean);
  summary.variance = static_cast<double>((squares - rest * rest / n) / n);
}

bool same(double result, double exact, double tolerance) {
  if (std::isnan(exact)) return std::isnan(result);
  if (std::isinf(exact)) return result == exact;
  return std::abs(result - exact) <= tolerance;
}

/// A NaN has no sign for a reader.
template <class T>
std::string text(T value) {
  return value == value ? fmt::format("{}", value) : "nan";
}

}  // namespace

template <class T>
Summary<T> exact_summary(const std::vector<T>& values) {
  if (values.empty()) throw UsageError("no numbers: they have no minimum and no mean");
  Summary<T> summary;
  summary.n = static_cast<std::int64_t>(values.size());
  find_extremes(values, summary);
  if constexpr (std::is_integral_v<T>) {
    exact_moments(values, summary);
  } else {
    two_pass_moments(values, summary);
  }
  return summary;
}

template <class T>
std::uint64_t summary_checksum(const Summary<T>& result, const Summary<T>& exact,
                               const SummaryTolerance& tolerance) {
  const double mean = same(result.mean, exact.mean, tolerance.mean) ? exact.mean : result.mean;
  const double variance =
      same(result.variance, exact.variance, tolerance.variance) ? exact.variance : result.variance;
  return checksum(std::vector<std::uint64_t>{
      bits_of(result.n), bits_of(result.min), bits_of(result.argmin), bits_of(result.max),
      bits_of(result.argmax), bits_of(mean), bits_of(variance)});
}

template <class T>
std::vector<NamedValue> extreme_values(const Summary<T>& summary) {
  return {{"minimum", fmt::format("{} (element {})", text(summary.min), summary.argmin)},
          {"maximum", fmt::format("{} (element {})", text(summary.max), summary.argmax)}};
}

template <class T>
std::vector<NamedValue> moment_values(const Summary<T>& summary) {
  const auto n = static_cast<double>(summary.n);
  std::vector<NamedValue> values = {
      {"mean", text(summary.mean)},
      {"variance", text(summary.variance)},
      {"standard deviation", summary.variance < 0 ? "none: the variance is negative"
                                                  : text(std::sqrt(summary.variance))}};
  if (summary.n > 1) {
    values.push_back({"sample variance", text(summary.variance * (n / (n - 1)))});
  }
  return values;
}

#define AGPUSIM_SUMMARY(T)                                                      \
  template Summary<T> exact_summary(const std::vector<T>&);                     \
  template std::uint64_t summary_checksum(const Summary<T>&, const Summary<T>&, \
                                          const SummaryTolerance&);             \
  template std::vector<NamedValue> extreme_values(const Summary<T>&);           \
  template std::vector<NamedValue> moment_values(const Summary<T>&);
AGPUSIM_SUMMARY(std::int32_t)
AGPUSIM_SUMMARY(std::int64_t)
AGPUSIM_SUMMARY(float)
AGPUSIM_SUMMARY(double)
#undef AGPUSIM_SUMMARY

}  // namespace agpusim
