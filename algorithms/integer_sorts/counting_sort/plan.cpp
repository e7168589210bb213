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
double passes(const Problem& problem, int bits) {
  const std::int64_t counters = shared_bytes * 8 / bits;
  return static_cast<double>((problem.range + counters - 1) / counters);
}

/// Time of moving so many bytes.
double bytes_us(double bytes, const Rates& rates) { return bytes / rates.bandwidth * nanoseconds; }

/// A copy of the counters of every multiprocessor written and read once, its sums, their prefix
/// sums and their reading.
double merge_us(double bins, double bytes_each, const Rates& rates) {
  return bytes_us(bins * (2 * bytes_each * rates.multiprocessors + 16), rates);
}

/// Waiting for the runs of one turn of a warp, 32 at a time, where there are more runs than keys; a
/// search goes to the next key where they are far apart.
double sparse_us(const Problem& problem, const Probe& probe, double us_each, const Rates& rates) {
  constexpr double places = 512;  // places of a go; several goes are a turn where a search is long
  const double goes = std::clamp(static_cast<double>(problem.n) / rates.places_of_device, 1.0,
                                 problem.range > 200'000 ? 8.0 : 2.0);
  const double apart = static_cast<double>(problem.range) /
                       std::max(probe.rare * static_cast<double>(problem.n), 1.0);
  return probe.rare == 0 ? 0 : goes * places * std::min(us_each * apart / 32, rates.search);
}

double packed_us(const Problem& problem, const Probe& probe, int bits, const Rates& rates) {
  const auto n = static_cast<double>(problem.n);
  const double over_keys = passes(problem, bits);
  // Where 6 of 32 lanes often have one value every load is looked at first; with a share of 5 %
  // (zipf) some.
  const bool skewed = probe.share > rates.frequent || probe.in_order;
  const double reads = over_keys * (skewed ? rates.skewed : rates.even);
  return rates.launch * (rates.packed_launches + 2 * over_keys) +
         bytes_us(4 * n, rates) * (reads + 1) +
         merge_us(static_cast<double>(problem.range), bits / 8.0, rates) +
         sparse_us(problem, probe, rates.from_global, rates);
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

Rates rates_of(const std::function<double(std::string_view)>& constant) {
  struct Named {
    double Rates::*value;
    const char* name;
  };
  constexpr Named fitted[] = {
      {&Rates::bandwidth, "bandwidth"},
      {&Rates::launch, "launch"},
      {&Rates::split_rate, "split_rate"},
      {&Rates::scatter_rate, "scatter_rate"},
      {&Rates::split_share, "split_share"},
      {&Rates::radix_rate, "radix_rate"},
      {&Rates::radix_launch, "radix_launch"},
      {&Rates::radix_tile_launch, "radix_tile_launch"},
      {&Rates::radix_tile_digit, "radix_tile_digit"},
      {&Rates::one_launch, "one_launch"},
      {&Rates::adds_in_l2, "adds_in_l2"},
      {&Rates::sums_of_cta, "sums_of_cta"},
      {&Rates::words_bin, "words_bin"},
      {&Rates::words_launches, "words_launches"},
      {&Rates::packed_launches, "packed_launches"},
      {&Rates::partition_launches, "partition_launches"},
      {&Rates::distinct_launches, "distinct_launches"},
      {&Rates::few_launches, "few_launches"},
      {&Rates::skewed, "skewed"},
      {&Rates::even, "even"},
      {&Rates::frequent, "frequent"},
      {&Rates::bins_in_l2, "bins_in_l2"},
      {&Rates::search, "search"},
      {&Rates::places_of_device, "places_of_device"},
      {&Rates::from_global, "from_global"},
      {&Rates::from_large, "from_large"},
      {&Rates::from_shared, "from_shared"},
      {&Rates::few_look_up, "few_look_up"},
      {&Rates::few_more_values, "few_more_values"},
      {&Rates::few_chain, "few_chain"},
      {&Rates::few_order, "few_order"},
  };
  Rates rates;
  rates.multiprocessors = constant("multiprocessors");
  for (const Named& one : fitted) {
    rates.*one.value = constant(std::string("counting_sort_") + one.name);
  }
  return rates;
}

bool possible(Method method, const Problem& problem) {
  if (problem.n > std::numeric_limits<std::int32_t>::max() - 1024) return false;
  switch (method) {
    case Method::one_launch:
      return problem.range <= most_of_one_launch;
    case Method::words:
      return problem.range * 4 <= shared_bytes;
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
      return rates.one_launch + bytes_us(8 * n, rates) +
             (added / rates.adds_in_l2 + range / rates.sums_of_cta) * nanoseconds +
             sparse_us(problem, probe, rates.from_shared, rates);
    }
    case Method::words:
      return rates.launch * rates.words_launches + bytes_us(8 * n, rates) +
             rates.words_bin * range * nanoseconds +
             sparse_us(problem, probe, rates.from_global, rates);
    case Method::packed_16:
      return packed_us(problem, probe, 16, rates);
    case Method::packed_8:
      return packed_us(problem, probe, 8, rates);
    case Method::partition:
      return rates.launch * rates.partition_launches + bytes_us(8 * n, rates) +
             n * nanoseconds * (1 / rates.split_rate + 1 / rates.scatter_rate) * rates.split_share +
             bytes_us(range * 32 + std::max(0.0, range - rates.bins_in_l2) * 64, rates) +
             sparse_us(problem, probe, rates.from_large, rates);
    case Method::distinct:
      return rates.launch * rates.distinct_launches + n * nanoseconds / rates.split_rate +
             bytes_us(8 * n + range / 4, rates);
    case Method::few_values: {
      // Look-ups of more values meet in fewer words; a table of many has longer chains; the values
      // are put in order by comparing all with all.
      const double looked_up_ns = rates.few_look_up +
                                  rates.few_more_values * std::min(1.0, probe.values / 100) +
                                  rates.few_chain * std::max(0.0, probe.values - 1000);
      return rates.launch * rates.few_launches + bytes_us(4 * n, rates) +
             n * looked_up_ns * nanoseconds + rates.few_order * std::sqrt(probe.values);
    }
    case Method::radix:
      break;
  }
  constexpr double one_tile = 4864;  // keys that CUB sorts in one CTA
  const auto values = static_cast<std::uint64_t>(std::max<std::int64_t>(problem.range, 2));
  const auto digits = static_cast<double>((std::bit_width(values - 1) + 7) / 8);
  if (n <= one_tile) return rates.radix_tile_launch + rates.radix_tile_digit * digits;
  return rates.radix_launch * (1 + digits) + n * nanoseconds * digits / rates.radix_rate +
         bytes_us(4 * n, rates);
}

Choice choose(const Problem& problem, const Probe& probe, const Rates& rates) {
  std::vector<std::pair<double, Method>> candidates;
  for (const Method method : methods()) {
    if (!possible(method, problem)) continue;
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
