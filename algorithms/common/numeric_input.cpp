#include "agpusim/algorithms/common/numeric_input.hpp"

#include <algorithm>
#include <iterator>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/numbers_of.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

struct Kind {
  std::string name;
  std::string help;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> table = {
      {"uniform", "integers: every bit pattern; floats: multiples of 2^-24 in [0, 1)"},
      {"sorted", "0, 1, 2, ..., n-1 (the data of seed 003)"},
      {"reversed", "n-1, ..., 2, 1, 0"},
      {"equal", "one value n times"},
      {"few_distinct", "16 values, equally likely"},
      {"normal",
       "about normal, a sum of 12 uniform numbers; floats: standard deviation 1, integers: 65536; "
       "`mean` standard deviations from 0"},
  };
  return table;
}

/// Standard deviations of 2^-16: a sum of 12 independent uniform numbers of 16 bits has a variance
/// of 2^32 and is exact.
std::int64_t normal_deviate(std::uint64_t seed, std::uint64_t i) {
  std::int64_t sum = 0;
  for (std::uint64_t part = 0; part < 3; ++part) {
    const std::uint64_t bits = random_bits(seed, 3 * i + part);
    for (unsigned shift = 0; shift < 64; shift += 16) {
      sum += static_cast<std::int64_t>((bits >> shift) & 0xffff);
    }
  }
  return sum - 6 * 65535;
}

template <class T>
T uniform(std::uint64_t seed, std::uint64_t i) {
  const std::uint64_t bits = random_bits(seed, i);
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(bits >> 40) / T{1 << 24};
  } else {
    return static_cast<T>(bits >> (64 - 8 * sizeof(T)));
  }
}

template <class T>
T normal(std::uint64_t seed, std::uint64_t i, std::int64_t mean) {
  const std::int64_t scaled = normal_deviate(seed, i) + mean * 65536;
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(static_cast<double>(scaled) / 65536);
  } else {
    return static_cast<T>(scaled);
  }
}

const Kind& find_kind(const std::string& name) {
  const auto it = std::find_if(kinds().begin(), kinds().end(),
                               [&](const Kind& kind) { return kind.name == name; });
  if (it != kinds().end()) return *it;
  throw UsageError(fmt::format("unknown kind of numbers '{}': known are {}, and values:3,-1,4",
                               name, fmt::join(numeric_kinds(), ", ")));
}

}  // namespace

const std::vector<std::string>& numeric_types() {
  static const std::vector<std::string> types = {"f32", "f64", "i32", "i64"};
  return types;
}

const std::vector<std::string>& numeric_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    std::transform(kinds().begin(), kinds().end(), std::back_inserter(result),
                   [](const Kind& kind) { return kind.name; });
    return result;
  }();
  return names;
}

std::string describe_numeric(const std::string& kind) { return find_kind(kind).help; }

Parameter mean_parameter() {
  return {"mean", "mean of `normal` numbers in standard deviations",
          [](const RunConfig&) { return std::int64_t{0}; }, 0};
}

template <class T>
std::vector<T> numeric_input(const RunConfig& config) {
  if (is_given(config.input)) {
    return given_values<T>(config.input, config.n, "number");
  }
  const std::string& name = find_kind(config.input).name;
  const std::uint64_t seed = config.seed;
  const auto n = static_cast<std::size_t>(config.n);
  const auto make = [&](auto value) { return numbers_of<T>(config.n, value); };
  if (name == "sorted") return make([](std::size_t i) { return i; });
  if (name == "reversed") return make([n](std::size_t i) { return n - 1 - i; });
  if (name == "equal") return make([seed](std::size_t) { return uniform<T>(seed, 0); });
  if (name == "few_distinct") {
    return make([seed](std::size_t i) { return random_bits(seed, i) >> 60; });
  }
  if (name == "normal") {
    const std::int64_t mean = config.parameters.at("mean");
    constexpr std::int64_t most =
        (std::int64_t{1} << (sizeof(T) == 4 && std::is_integral_v<T> ? 31 - 16 : 62 - 16)) - 7;
    if (mean > most) {
      throw UsageError(
          fmt::format("mean = {}: {} numbers of standard deviation 65536 around it do "
                      "not fit their type; at most {}",
                      mean, config.type, most));
    }
    return make([=](std::size_t i) { return normal<T>(seed, i, mean); });
  }
  return make([seed](std::size_t i) { return uniform<T>(seed, i); });
}

template std::vector<std::int32_t> numeric_input(const RunConfig&);
template std::vector<std::int64_t> numeric_input(const RunConfig&);
template std::vector<float> numeric_input(const RunConfig&);
template std::vector<double> numeric_input(const RunConfig&);

}  // namespace agpusim
