#include "agpusim/algorithms/statistics/record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>

#include <boost/multiprecision/cpp_int.hpp>

#include "agpusim/algorithms/common/numeric_input.hpp"

namespace agpusim::statistics {
namespace {

using boost::multiprecision::int256_t;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// What infinities and NaN among the numbers make of their mean and variance (which are finite
/// otherwise, but for squares beyond double).
template <class T>
bool set_unusual_moments(Summary<T>& summary) {
  const auto min = static_cast<double>(summary.min);
  const auto max = static_cast<double>(summary.max);
  if (std::isfinite(min) && std::isfinite(max)) return false;
  summary.variance = nan;
  summary.mean = min + max;  // NaN of NaN and of both infinities
  return true;
}

/// The sum whose low and high halves' sums are given.
int256_t from_halves(const std::uint64_t* halves) {
  return int256_t(halves[0]) + (int256_t(halves[1]) << 32);
}

double largest_magnitude(double min, double max) { return std::max(std::abs(min), std::abs(max)); }

template <class T>
void set_exact(Summary<T>& summary, const int256_t& sum, const int256_t& squares) {
  const int256_t n = summary.n;
  const auto quotient = [](const int256_t& a, const int256_t& b) {
    return static_cast<double>(a.convert_to<long double>() / b.convert_to<long double>());
  };
  summary.mean = quotient(sum, n);
  summary.variance = quotient(n * squares - sum * sum, n * n);
}

}  // namespace

template <class T>
Summary<T> summary_of_extremes(const word_t<T>* fields, std::int64_t n) {
  Summary<T> summary;
  summary.n = n;
  const auto number = [](word_t<T> word) {
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(word);
    } else {
      return static_cast<T>(word - Extremes<T>::sign);
    }
  };
  summary.min = number(fields[0]);
  summary.argmin = static_cast<std::int64_t>(fields[1]);
  summary.max = number(fields[2]);
  summary.argmax = static_cast<std::int64_t>(fields[3]);
  if constexpr (Extremes<T>::floating) {
    if (fields[4] != Extremes<T>::no_nan) {
      summary.min = summary.max = std::numeric_limits<T>::quiet_NaN();
      summary.argmin = summary.argmax = static_cast<std::int64_t>(fields[4]);
    }
  }
  return summary;
}

template <class T>
void set_moments(Summary<T>&, const word_t<T>*, NoMoments<T>) {}

template <class T>
void set_moments(Summary<T>& summary, const double* fields, ShiftedMoments<T>) {
  if (set_unusual_moments(summary)) return;
  summary.mean = fields[1];
  summary.variance = std::isnan(fields[2]) ? infinity : fields[2] / fields[0];
}

template <class T>
void set_moments(Summary<T>& summary, const double* fields, TextbookMoments<T>) {
  if (set_unusual_moments(summary)) return;
  const T mean = static_cast<T>(fields[0]) / static_cast<T>(summary.n);
  summary.mean = static_cast<double>(mean);
  summary.variance = static_cast<double>(static_cast<T>(fields[1]) - mean * mean);
}

template <class T>
void set_moments(Summary<T>& summary, const std::uint64_t* fields, ExactMoments<T>) {
  if constexpr (sizeof(T) == 4) {
    set_exact(summary, int256_t(static_cast<std::int64_t>(fields[0])), from_halves(fields + 1));
  } else {
    const int256_t sum = from_halves(fields) - (int256_t(summary.n) << 63);
    set_exact(summary, sum,
              from_halves(fields + 2) + (from_halves(fields + 4) << 33) +
                  (from_halves(fields + 6) << 64));
  }
}

template <class T>
SummaryTolerance tolerance(const Summary<T>&, const AdditionShape&, NoMoments<T>) {
  return {};
}

template <class T>
SummaryTolerance tolerance(const Summary<T>& exact, const AdditionShape& shape, ShiftedMoments<T>) {
  constexpr double roundoff = std::numeric_limits<double>::epsilon() / 2;
  const double range = static_cast<double>(exact.max) - static_cast<double>(exact.min);
  const double square = exact.variance + exact.mean * exact.mean;
  return {1e-12 * largest_magnitude(exact.min, exact.max),
          1e-11 * exact.variance + 4 * roundoff * std::sqrt(exact.variance * square) +
              static_cast<double>(shape.chain) * roundoff * shape.share * range * range};
}

template <class T>
SummaryTolerance tolerance(const Summary<T>& exact, const AdditionShape& shape,
                           TextbookMoments<T>) {
  const double roundoff =
      2 * static_cast<double>(shape.chain) * static_cast<double>(std::numeric_limits<T>::epsilon());
  return {roundoff * largest_magnitude(exact.min, exact.max),
          roundoff * (exact.variance + exact.mean * exact.mean)};
}

template <class T>
SummaryTolerance tolerance(const Summary<T>& exact, const AdditionShape&, ExactMoments<T>) {
  return {1e-15 * std::abs(exact.mean), 1e-15 * exact.variance};
}

template <class T>
Summary<T> exact_summary_of(const RunConfig& config) {
  static std::mutex mutex;
  static RunConfig last;
  static std::optional<Summary<T>> known;
  RunConfig input;
  input.type = config.type;
  input.n = config.n;
  input.input = config.input;
  input.seed = config.seed;
  input.parameters["mean"] = config.parameters.at("mean");
  const std::lock_guard lock(mutex);
  if (!known || input != last) {
    known = exact_summary(numeric_input<T>(config));
    last = input;
  }
  return *known;
}

#define AGPUSIM_ALL(T)                                                                        \
  template Summary<T> summary_of_extremes<T>(const word_t<T>*, std::int64_t);                 \
  template void set_moments<T>(Summary<T>&, const word_t<T>*, NoMoments<T>);                  \
  template SummaryTolerance tolerance(const Summary<T>&, const AdditionShape&, NoMoments<T>); \
  template Summary<T> exact_summary_of<T>(const RunConfig&);
#define AGPUSIM_POLICY(T, Moments)                                         \
  template void set_moments<T>(Summary<T>&, const word_t<T>*, Moments<T>); \
  template SummaryTolerance tolerance(const Summary<T>&, const AdditionShape&, Moments<T>);
AGPUSIM_ALL(std::int32_t)
AGPUSIM_ALL(std::int64_t)
AGPUSIM_ALL(float)
AGPUSIM_ALL(double)
AGPUSIM_POLICY(std::int32_t, ExactMoments)
AGPUSIM_POLICY(std::int64_t, ExactMoments)
AGPUSIM_POLICY(float, ShiftedMoments)
AGPUSIM_POLICY(double, ShiftedMoments)
AGPUSIM_POLICY(float, TextbookMoments)
AGPUSIM_POLICY(double, TextbookMoments)
#undef AGPUSIM_ALL
#undef AGPUSIM_POLICY

}  // namespace agpusim::statistics
