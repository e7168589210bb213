#include "agpusim/algorithms/integer_sorts/counting_sort/plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/model/error.hpp"

namespace agpusim::counting_sort {
namespace {

constexpr double nanoseconds = 1e-3;  ///< in microseconds
constexpr std::int64_t most_partitioned = std::int64_t{1} << 25;
constexpr std::int64_t most_of_one_launch = 32'768;
constexpr double bins_in_l2 = 1 << 23;    // the arrays of more are not in the cache together
constexpr double most_few_values = 4096;  // few_values.cuh

const std::map<Method, std::string>& names() {
  static const std::map<Method, std::string> all = {
      {Method::one_launch, "one_launch"}, {Method::words, "words"},
      {Method::packed_16, "packed_16"},   {Method::packed_8, "packed_8"},
      {Method::partition, "partition"},   {Method::distinct, "distinct"},
      {Method::few_values, "few_values"}, {Method::radix, "radix"}};
  return all;
}

/// Passes over the keys, each with counters of so many bits for a part of the range.
double passes(const Problem& problem, int bits, const Rates& rates) {
  const std::int64_t counters = rates.shared_bytes * 8 / bits;
  return static_cast<double>((problem.range + counters - 1) / counters);
}

/// Of moving so many bytes.
double bytes_us(double bytes, const Rates& rates) { return bytes / rates.bandwidth * nanoseconds; }

/// A copy of the counters of every multiprocessor written and read once, its sums, their prefix
/// sums and their reading.
double merge_us(double bins, double bytes_each, const Rates& rates) {
  return bytes_us(bins * (2 * bytes_each * rates.multiprocessors + 16), rates);
}

/// Waiting for the runs of one go of a warp, 32 at a time, where there are more runs than keys.
double sparse_us(const Problem& problem, double us_each) {
  constexpr double places = 512;
  return us_each * places / 32 * static_cast<double>(problem.range) /
         static_cast<double>(std::max<std::int64_t>(problem.n, 1));
}
constexpr double from_global = 0.28;
constexpr double from_shared = 0.16;

double packed_us(const Problem& problem, const Probe& probe, int bits, const Rates& rates) {
  const auto n = static_cast<double>(problem.n);
  const double over_keys = passes(problem, bits, rates);
  // A frequent value wraps its counter every 2^bits keys, and the sums of warps take turns.
  const double skewed = probe.few_frequent ? (bits == 8 ? 8 : 1.9) : 1.1;
  return rates.launch * (3.5 + 2 * over_keys) + bytes_us(4 * n, rates) * (over_keys * skewed + 1) +
         merge_us(static_cast<double>(problem.range), bits / 8.0, rates) +
         sparse_us(problem, from_global);
}

/// The v for which a sample of m keys out of v equally likely values has v(1 - e^(-m/v)) = `found`
/// different ones; `found` < m.
double equally_likely_values(double found, double m) {
  double low = found;
  double high = 1e10;
  while (high > 1.001 * low) {
    const double v = std::sqrt(low * high);
    (-v * std::expm1(-m / v) < found ? low : high) = v;
  }
  return low;
}

/// Whether the most frequent value of a sample can be one of equally likely ones, each of which is
/// in it `mean` times on average: five standard deviations above, and a few for small means.
bool is_near(double longest, double mean) { return longest <= mean + 5 * std::sqrt(mean) + 3; }

}  // namespace

const std::vector<Method>& methods() {
  static const std::vector<Method> all = [] {
    std::vector<Method> values;
    for (const auto& [method, name] : names()) values.push_back(method);
    return values;
  }();
  return all;
}

std::string to_string(Method method) { return names().at(method); }

Method parse_method(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [method, other] : names()) {
    if (other == name) return method;
    known.push_back(other);
  }
  throw UsageError(fmt::format("counting_sort has no variant '{}': known are auto, {}", name,
                               fmt::join(known, ", ")));
}

Probe probe(const std::vector<std::int32_t>& sample) {
  std::vector<std::int32_t> sorted = sample;
  std::sort(sorted.begin(), sorted.end());
  std::size_t values = 0;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    ++values;
    longest = std::max(longest, end - i);
    i = end;
  }
  Probe result;
  const auto keys = static_cast<double>(sorted.size());
  const auto found = static_cast<double>(values);
  if (4 * found <= keys) {  // hardly a value is missing from the sample
    result.few = true;
    result.values = found;
  } else if (const double estimated = equally_likely_values(found, keys);
             is_near(static_cast<double>(longest), keys / estimated)) {
    result.few = estimated <= most_few_values;
    result.values = estimated;
  }
  result.few_frequent = 8 * longest >= sorted.size() && sorted.size() >= 8;
  return result;
}

bool possible(Method method, const Problem& problem, const Rates& rates) {
  if (problem.n > std::numeric_limits<std::int32_t>::max() - 1024) return false;
  switch (method) {
    case Method::one_launch:
      return problem.range <= most_of_one_launch;
    case Method::words:
      return problem.range * 4 <= rates.shared_bytes;
    case Method::packed_16:
    case Method::packed_8:
      return problem.range <= most_partitioned;
    case Method::partition:
      return problem.range <= most_partitioned;
    case Method::distinct:
      // A bucket has a place for every value.
      return problem.n <= problem.range && problem.range <= std::int64_t{1} << 28;
    case Method::few_values:
    case Method::radix:
      return true;
  }
  return false;
}

double predicted_us(Method method, const Problem& problem, const Probe& probe, const Rates& rates) {
  const auto n = static_cast<double>(problem.n);
  const auto range = static_cast<double>(problem.range);
  switch (method) {
    case Method::one_launch: {
      // Every CTA adds its bins that are not 0, one by one, and sums them all.
      const double added = std::min(n, range * rates.multiprocessors);
      constexpr double barrier_and_launch = 8.5;
      constexpr double adds_in_l2 = 250;  // per ns, neighbouring words
      constexpr double sums_of_cta = 4;   // bins per ns
      return barrier_and_launch + bytes_us(8 * n, rates) +
             (added / adds_in_l2 + range / sums_of_cta) * nanoseconds +
             sparse_us(problem, from_shared);
    }
    case Method::words:
      return rates.launch * 4 + bytes_us(8 * n, rates) + 0.3 * range * nanoseconds +
             sparse_us(problem, from_global);
    case Method::packed_16:
      return packed_us(problem, probe, 16, rates);
    case Method::packed_8:
      return packed_us(problem, probe, 8, rates);
    case Method::partition:
      return rates.launch * 12.5 + bytes_us(8 * n, rates) +
             n * nanoseconds * (1 / rates.split_rate + 1 / rates.scatter_rate) * 0.7 +
             bytes_us(range * 32 + std::max(0.0, range - bins_in_l2) * 64, rates) +
             sparse_us(problem, from_global);
    case Method::distinct:
      return rates.launch * 5 + n * nanoseconds / rates.split_rate +
             bytes_us(8 * n + range / 4, rates);
    case Method::few_values: {
      // The table of more values has longer chains; its values are put in order by one CTA.
      const double looked_up_ns = 3.66e-3 + 1.8e-6 * std::max(0.0, probe.values - 1000);
      return rates.launch * 5 + bytes_us(4 * n, rates) + n * looked_up_ns * nanoseconds +
             0.5 * std::sqrt(probe.values);
    }
    case Method::radix:
      break;
  }
  constexpr double one_tile = 4864;  // keys that CUB sorts in one CTA
  const auto values = static_cast<std::uint64_t>(std::max<std::int64_t>(problem.range, 2));
  const auto digits = static_cast<double>((std::bit_width(values - 1) + 7) / 8);
  if (n <= one_tile) return 5 + digits;
  return rates.radix_launch * (1 + digits) + n * nanoseconds * digits / rates.radix_rate +
         bytes_us(4 * n, rates);
}

Choice choose(const Problem& problem, const Probe& probe, const Rates& rates) {
  std::vector<std::pair<double, Method>> candidates;
  for (const Method method : methods()) {
    if (!possible(method, problem, rates)) continue;
    if (method == Method::distinct && !probe.differ) continue;
    if (method == Method::few_values && !probe.few) continue;
    candidates.emplace_back(predicted_us(method, problem, probe, rates), method);
  }
  std::sort(candidates.begin(), candidates.end());
  Choice choice{candidates.front().second, candidates.front().first, ""};
  choice.reason = fmt::format("{}: {:.0f} us", to_string(choice.method), choice.us);
  if (candidates.size() > 1) {
    choice.reason +=
        fmt::format("; next {}: {:.0f} us", to_string(candidates[1].second), candidates[1].first);
  }
  return choice;
}

}  // namespace agpusim::counting_sort
