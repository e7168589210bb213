#include "agpusim/validation/experiments/out_of_core/workload.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "agpusim/algorithms/common/permutation.hpp"
#include "agpusim/model/transfer/host_parallel.hpp"

namespace agpusim::out_of_core {
namespace {

/// SplitMix64 of Steele, Lea and Flood, 2014.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

template <class T, class F>
void fill(std::span<T> values, F value) {
  for_ranges(std::ssize(values), [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) values[at(i)] = value(static_cast<std::uint64_t>(i));
  });
}

template <class T, class F, class Combine>
T fold(std::int64_t count, T identity, F of_range, Combine combine) {
  constexpr std::int64_t piece = std::int64_t{1} << 16;
  return tbb::parallel_reduce(
      tbb::blocked_range<std::int64_t>(0, count, piece), identity,
      [&](const auto& range, T sum) { return combine(sum, of_range(range.begin(), range.end())); },
      combine);
}

/// Says where the first element is that is not `right(i)`.
template <class Right>
std::string check_each(std::span<const double> out, Right right) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const auto first = fold(
      std::ssize(out), none,
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          if (!right(at(i))) return i;
        }
        return none;
      },
      [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
  if (first == none) return {};
  return fmt::format("element {} is {}", first, out[at(first)]);
}

double sum_of(std::span<const double> values) {
  return fold(
      std::ssize(values), 0.0,
      [&](std::int64_t begin, std::int64_t end) {
        double sum = 0;
        for (std::int64_t i = begin; i < end; ++i) sum += values[at(i)];
        return sum;
      },
      [](double a, double b) { return a + b; });
}

using Hashes = std::pair<std::uint64_t, std::uint64_t>;

/// Two sums of hashes of the keys, in any order.
Hashes hashes_of(std::span<const double> keys) {
  return fold(
      std::ssize(keys), Hashes{},
      [&](std::int64_t begin, std::int64_t end) {
        Hashes sums;
        for (std::int64_t i = begin; i < end; ++i) {
          const std::uint64_t hash = mix(std::bit_cast<std::uint64_t>(keys[at(i)]));
          sums.first += hash;
          sums.second += mix(hash);
        }
        return sums;
      },
      [](const Hashes& a, const Hashes& b) {
        return Hashes{a.first + b.first, a.second + b.second};
      });
}

}  // namespace

void fill_numbers(std::span<double> values, std::uint64_t seed) {
  fill(values, [&](std::uint64_t i) { return static_cast<double>(mix(i ^ mix(seed)) % 1000); });
}

void fill_keys(std::span<double> values, std::uint64_t seed) {
  fill(values,
       [&](std::uint64_t i) { return static_cast<double>(mix(i ^ mix(seed)) >> 11U) * 0x1p-53; });
}

void fill_places(std::span<std::int64_t> places, std::uint64_t seed) {
  const Permutation permutation(places.size(), seed);
  fill(places, [&](std::uint64_t i) { return static_cast<std::int64_t>(permutation(i)); });
}

void fill_indices(std::span<double> values) {
  fill(values, [](std::uint64_t i) { return static_cast<double>(i); });
}

std::string check_scaled(std::span<const double> in, std::span<const double> out, double factor) {
  return check_each(out, [&](std::size_t i) { return out[i] == in[i] * factor; });
}

std::string check_ones(std::span<const double> out) {
  constexpr double tolerance = 4 * std::numeric_limits<double>::epsilon();
  return check_each(out, [&](std::size_t i) { return std::abs(out[i] - 1) <= tolerance; });
}

std::string check_sum(std::span<const double> in, double sum) {
  const double expected = sum_of(in);
  return sum == expected ? std::string() : fmt::format("the sum is {}, not {}", sum, expected);
}

std::string check_prefixes(std::span<const double> in, std::span<const double> out) {
  return check_each(out, [&](std::size_t i) { return out[i] == in[i] + (i > 0 ? out[i - 1] : 0); });
}

std::string check_scattered(std::span<const std::int64_t> places, std::span<const double> out) {
  return check_each(out,
                    [&](std::size_t i) { return out[at(places[i])] == static_cast<double>(i); });
}

std::string check_sorted(std::span<const double> in, std::span<const double> out) {
  if (hashes_of(in) != hashes_of(out)) return "the keys are not those of the input";
  return check_each(out, [&](std::size_t i) { return i == 0 || out[i - 1] <= out[i]; });
}

}  // namespace agpusim::out_of_core
