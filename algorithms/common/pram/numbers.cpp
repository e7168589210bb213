#include "agpusim/algorithms/common/pram/numbers.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

/// A random number below `limit` (at most 2^32), number `i` of stream `seed`.
std::int64_t below(std::uint64_t limit, std::uint64_t seed, std::uint64_t i) {
  return static_cast<std::int64_t>(((random_bits(seed, i) >> 32) * limit) >> 32);
}

std::vector<std::int64_t> given_numbers(const RunConfig& config) {
  return given_values<std::int64_t>(config.input, config.n, "value");
}

/// n numbers, x[i] = value(i).
template <class Value>
std::vector<std::int64_t> numbers_of(std::int64_t n, Value value) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = value(i);
  return numbers;
}

[[noreturn]] void fail_unknown(const std::string& kind, const std::vector<std::string>& known) {
  throw UsageError(fmt::format("unknown input '{}': known are {}, and values:1,0,1", kind,
                               fmt::join(known, ", ")));
}

}  // namespace

const std::vector<std::string>& number_kinds() {
  static const std::vector<std::string> kinds = {"uniform", "signed", "ones",
                                                 "zeros",   "sorted", "reversed"};
  return kinds;
}

std::vector<std::int64_t> generate_numbers(const RunConfig& config) {
  if (is_given(config.input)) return given_numbers(config);
  const auto make = [&](auto value) { return numbers_of(config.n, value); };
  const std::uint64_t seed = config.seed;
  if (config.input == "uniform") return make([=](auto i) { return below(10, seed, i); });
  if (config.input == "signed") return make([=](auto i) { return below(19, seed, i) - 9; });
  if (config.input == "ones") return make([](auto) { return 1; });
  if (config.input == "zeros") return make([](auto) { return 0; });
  if (config.input == "sorted") return make([](auto i) { return static_cast<std::int64_t>(i); });
  if (config.input == "reversed") {
    return make([&](auto i) { return config.n - 1 - static_cast<std::int64_t>(i); });
  }
  fail_unknown(config.input, number_kinds());
}

const std::vector<std::string>& bit_kinds() {
  static const std::vector<std::string> kinds = {"uniform", "ones", "zeros"};
  return kinds;
}

std::vector<std::int64_t> generate_bits(const RunConfig& config) {
  if (!is_given(config.input)) {
    if (config.input == "uniform") {
      return numbers_of(config.n, [&](auto i) { return below(2, config.seed, i); });
    }
    const bool known =
        std::find(bit_kinds().begin(), bit_kinds().end(), config.input) != bit_kinds().end();
    if (!known) fail_unknown(config.input, bit_kinds());
    return generate_numbers(config);
  }
  std::vector<std::int64_t> bits = given_numbers(config);
  const auto offender =
      std::find_if(bits.begin(), bits.end(), [](std::int64_t bit) { return bit != 0 && bit != 1; });
  if (offender != bits.end()) {
    throw UsageError(fmt::format("x[{}] = {} is not a bit; give 0 and 1 only",
                                 offender - bits.begin(), *offender));
  }
  return bits;
}

}  // namespace agpusim
