#include "agpusim/algorithms/common/integer_keys.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/numbers_of.hpp"
#include "agpusim/algorithms/common/permutation.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

/// A random number below `limit` (at most 2^32).
std::uint64_t below(std::uint64_t limit, std::uint64_t seed, std::uint64_t i) {
  return ((random_bits(seed, i) >> 32) * limit) >> 32;
}

/// Value number `j` of the shape, relative to its minimum: value j of `values` is
/// floor(j·R/values).
std::int64_t spread(const KeyShape& shape, std::uint64_t j) {
  return static_cast<std::int64_t>(j * static_cast<std::uint64_t>(shape.range) /
                                   static_cast<std::uint64_t>(shape.values));
}

/// min + key(i) for the keys i of the shape.
template <class Key>
std::vector<std::int32_t> keys_of(const KeyShape& shape, const Key& key) {
  return numbers_of<std::int32_t>(shape.n, [&](std::uint64_t i) { return shape.min + key(i); });
}

/// The values in ascending order, key i from the place number(i) of n.
template <class Number>
std::vector<std::int32_t> in_order(const KeyShape& shape, const Number& number) {
  const auto values = static_cast<std::uint64_t>(shape.values);
  return keys_of(shape, [&](std::uint64_t i) {
    return spread(shape, number(i) * values / static_cast<std::uint64_t>(shape.n));
  });
}

struct Kind {
  std::string name;
  std::string help;
  std::vector<std::int32_t> (*make)(const KeyShape&, std::uint64_t seed);
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> table = {
      {"uniform", "each of the `values` values equally likely",
       [](const KeyShape& shape, std::uint64_t seed) {
         const auto values = static_cast<std::uint64_t>(shape.values);
         return keys_of(shape,
                        [&](std::uint64_t i) { return spread(shape, below(values, seed, i)); });
       }},
      {"distinct", "no key twice, in random order",
       [](const KeyShape& shape, std::uint64_t seed) {
         const Permutation permutation(static_cast<std::uint64_t>(shape.range), seed);
         return keys_of(shape,
                        [&](std::uint64_t i) { return static_cast<std::int64_t>(permutation(i)); });
       }},
      {"equal", "one value n times",
       [](const KeyShape& shape, std::uint64_t) {
         return keys_of(shape, [&](std::uint64_t) { return shape.range / 2; });
       }},
      {"sorted", "ascending, each of the values about as often",
       [](const KeyShape& shape, std::uint64_t) {
         return in_order(shape, [](std::uint64_t i) { return i; });
       }},
      {"reversed", "descending, each of the values about as often",
       [](const KeyShape& shape, std::uint64_t) {
         const std::uint64_t last = static_cast<std::uint64_t>(shape.n) - 1;
         return in_order(shape, [last](std::uint64_t i) { return last - i; });
       }},
      {"zipf", "value number i with a probability of about 1/i (constant in each octave)",
       [](const KeyShape& shape, std::uint64_t seed) {
         const auto values = static_cast<std::uint64_t>(shape.values);
         const auto octaves = static_cast<std::uint64_t>(std::bit_width(values));
         return keys_of(shape, [&](std::uint64_t i) {
           const std::uint64_t bits = random_bits(seed, i);
           const std::uint64_t octave = (bits >> 32) % octaves;
           const std::uint64_t rank =
               (std::uint64_t{1} << octave) - 1 + (bits & ((std::uint64_t{1} << octave) - 1));
           return spread(shape, rank % values);
         });
       }},
  };
  return table;
}

std::vector<std::int32_t> given_keys(std::string_view input, const KeyShape& shape) {
  const std::vector<std::int64_t> values =
      given_values<std::int64_t, std::int32_t>(input, shape.n, "key", "an integer");
  const std::int64_t end = shape.min + shape.range;
  std::vector<std::int32_t> keys;
  for (const std::int64_t value : values) {
    if (value < shape.min || value >= end) {
      throw UsageError(
          fmt::format("key x[{}] = {} is outside min <= key < min + range, which is {} <= key < "
                      "{}; set min and range to what the keys need",
                      keys.size(), value, shape.min, end));
    }
    keys.push_back(static_cast<std::int32_t>(value));
  }
  return keys;
}

void check_shape(const KeyShape& shape, std::int64_t longest) {
  constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t high = std::numeric_limits<std::int32_t>::max();
  if (shape.range > longest) {
    throw UsageError(
        fmt::format("range = {}: at most {} is possible; it is n by default: --set range=...",
                    shape.range, longest == all_keys ? "2^32" : "2^31 - 1"));
  }
  if (shape.min < low || shape.min > high + 1 - shape.range) {
    throw UsageError(
        fmt::format("min = {}, range = {}: keys are 32-bit integers; -2^31 <= min and min + "
                    "range <= 2^31 must hold",
                    shape.min, shape.range));
  }
  if (shape.n > 0 && shape.range == 0) {
    throw UsageError(fmt::format(
        "range = 0 leaves no value for n = {} keys; use a range of 1 or more", shape.n));
  }
  if (shape.range > 0 && (shape.values < 1 || shape.values > shape.range)) {
    throw UsageError(fmt::format("values = {}: between 1 and range = {} values can occur",
                                 shape.values, shape.range));
  }
}

}  // namespace

const std::vector<std::string>& key_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const Kind& kind : kinds()) result.push_back(kind.name);
    return result;
  }();
  return names;
}

std::string describe_keys(const std::string& kind) {
  for (const Kind& row : kinds()) {
    if (row.name == kind) return row.help;
  }
  throw UsageError(fmt::format("unknown kind of keys '{}': known are {}, and values:3,3,1,7", kind,
                               fmt::join(key_kinds(), ", ")));
}

KeyShape key_shape(const RunConfig& config) {
  return {config.n, config.parameters.at("min"), config.parameters.at("range"),
          config.parameters.at("values")};
}

void check_keys(const std::string& kind, const KeyShape& shape, std::int64_t longest) {
  check_shape(shape, longest);
  if (is_given(kind)) {
    static_cast<void>(given_keys(kind, shape));
    return;
  }
  static_cast<void>(describe_keys(kind));
  if (kind == "distinct" && shape.n > shape.range) {
    throw UsageError(fmt::format("input distinct: n = {} keys need a range of as many, not {}",
                                 shape.n, shape.range));
  }
}

void check_keys(const RunConfig& config) { check_keys(config.input, key_shape(config)); }

std::vector<std::int32_t> generate_keys(const std::string& kind, const KeyShape& shape,
                                        std::uint64_t seed, std::int64_t longest) {
  check_keys(kind, shape, longest);
  if (is_given(kind)) {
    return given_keys(kind, shape);
  }
  const auto row = std::find_if(kinds().begin(), kinds().end(),
                                [&](const Kind& candidate) { return candidate.name == kind; });
  return row->make(shape, seed);
}

int differing_bits(std::int64_t min, std::int64_t range) {
  const auto low = static_cast<std::uint32_t>(min);
  const auto high = low + static_cast<std::uint32_t>(std::max<std::int64_t>(range, 1) - 1);
  return std::max(1, static_cast<int>(std::bit_width(low ^ high)));
}

std::vector<std::int32_t> generate_keys(const RunConfig& config) {
  return generate_keys(config.input, key_shape(config), config.seed);
}

std::vector<std::int64_t> generate_pram_keys(const RunConfig& config) {
  const std::vector<std::int32_t> keys = generate_keys(config);
  return {keys.begin(), keys.end()};
}

std::vector<Parameter> key_parameters() {
  return {
      {"min", "smallest value a key may have (minVal)",
       [](const RunConfig&) { return std::int64_t{0}; }, std::numeric_limits<std::int32_t>::min()},
      {"range", "values a key may have: min <= key < min + range (maxVal - minVal)",
       [](const RunConfig& config) { return std::max<std::int64_t>(config.n, 1); }, 0},
      {"values", "values that the input draws from, spread evenly over the range (len)",
       [](const RunConfig& config) { return config.parameters.at("range"); }, 0}};
}

}  // namespace agpusim
