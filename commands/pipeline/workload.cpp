#include "agpusim/commands/pipeline/workload.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "agpusim/algorithms/common/permutation.hpp"
#include "agpusim/algorithms/out_of_core/hash_table.hpp"
#include "agpusim/algorithms/segmented/kernel.hpp"
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

/// The first of `count` elements that is not `is_right(i)`.
template <class Right>
std::optional<std::int64_t> first_wrong(std::int64_t count, Right is_right) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const auto first = fold(
      count, none,
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          if (!is_right(at(i))) return i;
        }
        return none;
      },
      [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
  return first == none ? std::nullopt : std::optional(first);
}

/// Says where the first element is that is not `is_right(i)`.
template <class Right>
std::string check_each(std::span<const double> out, Right is_right) {
  const auto first = first_wrong(std::ssize(out), is_right);
  return first ? fmt::format("element {} is {}", *first, out[at(*first)]) : std::string();
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

/// Two sums of hashes of keys, in any order.
struct Hashes {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  friend bool operator==(const Hashes&, const Hashes&) = default;
  friend Hashes operator+(const Hashes& a, const Hashes& b) {
    return {a.first + b.first, a.second + b.second};
  }
};

/// Sums of hashes by one core.
Hashes hashes_of_range(std::span<const double> keys) {
  Hashes sums;
  for (const double key : keys) {
    const std::uint64_t hash = mix(std::bit_cast<std::uint64_t>(key));
    sums = sums + Hashes{hash, mix(hash)};
  }
  return sums;
}

Hashes hashes_of(std::span<const double> keys) {
  return fold(
      std::ssize(keys), Hashes{},
      [&](std::int64_t begin, std::int64_t end) {
        return hashes_of_range(keys.subspan(at(begin), at(end - begin)));
      },
      std::plus<>());
}

/// Elements of the segment that begins at `first`.
std::size_t length_from(std::span<const std::uint32_t> heads, std::size_t first) {
  const auto next = std::find_if(heads.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                                 heads.end(), [](std::uint32_t head) { return head != 0; });
  return static_cast<std::size_t>(next - heads.begin()) - first;
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

void fill_heads(std::span<std::uint32_t> heads) {
  fill(heads, [](std::uint64_t i) { return i % segmented::planned_length == 0 ? 1U : 0U; });
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

std::string check_sum(std::span<const double> in, double sum, double factor) {
  const double expected = factor * sum_of(in);
  return sum == expected ? std::string() : fmt::format("the sum is {}, not {}", sum, expected);
}

std::string check_prefixes(std::span<const double> in, std::span<const double> out, double factor) {
  return check_each(
      out, [&](std::size_t i) { return out[i] == factor * in[i] + (i > 0 ? out[i - 1] : 0); });
}

std::string check_segmented_prefixes(std::span<const double> in,
                                     std::span<const std::uint32_t> heads,
                                     std::span<const double> out) {
  return check_each(out, [&](std::size_t i) {
    return out[i] == in[i] + (i > 0 && heads[i] == 0 ? out[i - 1] : 0);
  });
}

std::string check_segmented_sums(std::span<const double> in, std::span<const std::uint32_t> heads,
                                 std::span<const double> out) {
  constexpr std::size_t piece = std::size_t{1} << 16U;
  const auto of_piece = [&](std::int64_t p) {
    return heads.subspan(at(p) * piece, std::min(piece, heads.size() - at(p) * piece));
  };
  const auto is_head = [](std::uint32_t head) { return head != 0; };
  std::vector<std::int64_t> before((heads.size() + piece - 1) / piece);  // heads before each piece
  for_each_index(std::ssize(before), [&](std::int64_t p) {
    before[at(p)] = std::count_if(of_piece(p).begin(), of_piece(p).end(), is_head);
  });
  const std::int64_t segments = std::accumulate(before.begin(), before.end(), std::int64_t{0});
  if (segments != std::ssize(out)) {
    return fmt::format("there are {} segments, the output has {} elements", segments, out.size());
  }
  std::exclusive_scan(before.begin(), before.end(), before.begin(), std::int64_t{0});
  std::vector<std::optional<std::int64_t>> wrong(before.size());  // the first segment of each piece
  for_each_index(std::ssize(before), [&](std::int64_t p) {
    std::int64_t segment = before[at(p)];
    for (std::size_t i = at(p) * piece; i < at(p) * piece + of_piece(p).size(); ++i) {
      if (heads[i] == 0) continue;
      const std::span<const double> elements = in.subspan(i, length_from(heads, i));
      const double sum = std::accumulate(elements.begin(), elements.end(), 0.0);
      if (out[at(segment)] != sum && !wrong[at(p)]) wrong[at(p)] = segment;
      ++segment;
    }
  });
  for (const std::optional<std::int64_t>& segment : wrong) {
    if (segment) return fmt::format("the sum of segment {} is {}", *segment, out[at(*segment)]);
  }
  return {};
}

std::string check_scattered(std::span<const std::int64_t> places, std::span<const double> out) {
  return check_each(out,
                    [&](std::size_t i) { return out[at(places[i])] == static_cast<double>(i); });
}

std::string check_sorted(std::span<const double> in, std::span<const double> out) {
  if (hashes_of(in) != hashes_of(out)) return "the keys are not those of the input";
  return check_each(out, [&](std::size_t i) { return i == 0 || out[i - 1] <= out[i]; });
}

std::string check_segments_sorted(std::span<const double> in, std::span<const std::uint32_t> heads,
                                  std::span<const double> out) {
  const auto changed = first_wrong(std::ssize(out), [&](std::size_t i) {
    if (heads[i] == 0) return true;
    const std::size_t length = length_from(heads, i);
    return hashes_of_range(in.subspan(i, length)) == hashes_of_range(out.subspan(i, length));
  });
  if (changed) {
    return fmt::format("the keys of the segment from element {} are not those of the input",
                       *changed);
  }
  return check_each(out,
                    [&](std::size_t i) { return i == 0 || heads[i] != 0 || out[i - 1] <= out[i]; });
}

std::string check_hash_table(std::span<const double> in, std::span<const double> out) {
  const auto n = std::ssize(in);
  const Homes homes{HashScratch::homes_of(n)};
  constexpr std::int64_t bits = 64;
  std::vector<std::atomic<std::uint64_t>> taken(at((homes.count + n) / bits + 1));
  const auto bit = [](std::int64_t slot) { return std::uint64_t{1} << (slot % bits); };
  const auto home = [&](std::int64_t i) { return homes.home(HashOfKey{}(in[at(i)])); };
  for_ranges(n / 2, [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) {
      std::int64_t slot = home(i);
      while ((taken[at(slot / bits)].fetch_or(bit(slot)) & bit(slot)) != 0) ++slot;
    }
  });
  const auto is_taken = [&](std::int64_t slot) {
    return (taken[at(slot / bits)].load() & bit(slot)) != 0;
  };
  // Sums of hashes of the results, whose order the program chooses.
  const auto hash_of = [](double result) { return mix(std::bit_cast<std::uint64_t>(result)); };
  const auto sum = [&](std::int64_t count, auto hash) {
    return fold(
        count, std::uint64_t{0},
        [&](std::int64_t first, std::int64_t end) {
          std::uint64_t part = 0;
          for (std::int64_t i = first; i < end; ++i) part += hash(i);
          return part;
        },
        std::plus<>());
  };
  const std::uint64_t of_present = sum(homes.count + n, [&](std::int64_t slot) {
    return is_taken(slot) ? hash_of(static_cast<double>(slot)) : 0;
  });
  const std::uint64_t of_absent = sum(n - n / 2, [&](std::int64_t i) {
    std::int64_t slot = home(n / 2 + i);
    while (is_taken(slot)) ++slot;
    return hash_of(-1 - static_cast<double>(slot));
  });
  const std::uint64_t found = sum(n, [&](std::int64_t i) { return hash_of(out[at(i)]); });
  return found == of_present + of_absent ? "" : "searches do not end in the slots where they must";
}

}  // namespace agpusim::out_of_core
