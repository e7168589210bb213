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

/// Waiting for the runs of one turn of a warp, 32 at a time, where there are more runs than keys; a
/// search goes to the next key where they are far apart.
double sparse_us(const Problem& problem, const Probe& probe, double us_each) {
  constexpr double places = 512;  // of a go, several of which are a turn where a search is long
  constexpr double places_of_device = 4.3e6;
  constexpr double search_us = 2;
  const double goes = std::clamp(static_cast<double>(problem.n) / places_of_device, 1.0,
                                 problem.range > 200'000 ? 8.0 : 2.0);
  const double apart = static_cast<double>(problem.range) /
                       std::max(probe.rare * static_cast<double>(problem.n), 1.0);
  return probe.rare == 0 ? 0 : goes * places * std::min(us_each * apart / 32, search_us);
}
constexpr double from_global = 0.28;
constexpr double from_large = 0.6;  // of more than a near cache holds
constexpr double from_shared = 0.16;

double packed_us(const Problem& problem, const Probe& probe, int bits, const Rates& rates) {
  const auto n = static_cast<double>(problem.n);
  const double over_keys = passes(problem, bits, rates);
  // Where 6 of 32 lanes often have one value every load is looked at first; with a share of 5 %
  // (zipf) some.
  constexpr double frequent = 0.05;
  const double skewed = probe.share > frequent || probe.in_order ? 1.25 : 1.1;
  return rates.launch * (3.0 + 2 * over_keys) + bytes_us(4 * n, rates) * (over_keys * skewed + 1) +
         merge_us(static_cast<double>(problem.range), bits / 8.0, rates) +
         sparse_us(problem, probe, from_global);
}

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
  double values = 0;
  double once = 0;
  double twice = 0;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    ++values;
    once += end - i == 1 ? 1 : 0;
    twice += end - i == 2 ? 1 : 0;
    longest = std::max(longest, end - i);
    i = end;
  }
  Probe result;
  // Values that the sample has not seen (Chao 1984); with several seen once and none twice there
  // may be any number.
  constexpr double seen_by_chance = 2;
  if (twice > 0 || once <= seen_by_chance) {
    result.values = values + (twice > 0 ? once * once / (2 * twice) : 0);
    result.few = result.values <= most_few_values;
  }
  const auto keys = static_cast<double>(sample.size());
  constexpr std::size_t enough = 8;  // keys that say how the others are spread
  if (sample.size() < enough) return result;
  result.share = static_cast<double>(longest) / keys;
  result.rare = once / keys;
  std::size_t descents = 0;
  for (std::size_t i = 1; i < sample.size(); ++i) {
    if (sample[i] < sample[i - 1]) ++descents;
  }
  result.in_order = static_cast<double>(descents) < 0.05 * keys;
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
             sparse_us(problem, probe, from_shared);
    }
    case Method::words:
      return rates.launch * 3.7 + bytes_us(8 * n, rates) + 0.3 * range * nanoseconds +
             sparse_us(problem, probe, from_global);
    case Method::packed_16:
      return packed_us(problem, probe, 16, rates);
    case Method::packed_8:
      return packed_us(problem, probe, 8, rates);
    case Method::partition:
      return rates.launch * 10.7 + bytes_us(8 * n, rates) +
             n * nanoseconds * (1 / rates.split_rate + 1 / rates.scatter_rate) * 0.7 +
             bytes_us(range * 32 + std::max(0.0, range - bins_in_l2) * 64, rates) +
             sparse_us(problem, probe, from_large);
    case Method::distinct:
      return rates.launch * 4.2 + n * nanoseconds / rates.split_rate +
             bytes_us(8 * n + range / 4, rates);
    case Method::few_values: {
      // Look-ups of more values meet in fewer words; a table of many has longer chains; the values
      // are put in order by comparing all with all.
      const double looked_up_ns = 1.1e-3 + 0.45e-3 * std::min(1.0, probe.values / 100) +
                                  0.37e-6 * std::max(0.0, probe.values - 1000);
      return rates.launch * 4.7 + bytes_us(4 * n, rates) + n * looked_up_ns * nanoseconds +
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
