#include "agpusim/algorithms/common/inputs.hpp"

#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/checksum.hpp"
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
      {"uniform", "every bit pattern equally likely"},
      {"equal", "one value n times"},
      {"sorted", "0, 1, 2, ..., n-1"},
      {"reversed", "n-1, ..., 2, 1, 0"},
      {"few_distinct", "16 values, equally likely"},
      {"zipf", "value v with probability about 1/v, v < 2^20 (constant in each octave)"},
  };
  return table;
}

const Kind& find_kind(const std::string& name) {
  for (const Kind& kind : kinds()) {
    if (kind.name == name) return kind;
  }
  throw UsageError(
      fmt::format("unknown input '{}': known are {}", name, fmt::join(input_kinds(), ", ")));
}

}  // namespace

const std::vector<std::string>& input_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const Kind& kind : kinds()) result.push_back(kind.name);
    return result;
  }();
  return names;
}

std::string describe_input(const std::string& kind) { return find_kind(kind).help; }

template <class T>
std::vector<T> generate(const std::string& kind, std::int64_t n, std::uint64_t seed) {
  const std::string& name = find_kind(kind).name;
  const auto random = [seed](std::size_t i) {
    return random_bits(seed, i) >> (64 - 8 * sizeof(T));
  };
  if (name == "equal") return numbers_of<T>(n, [random](std::size_t) { return random(0); });
  if (name == "sorted") return numbers_of<T>(n, [](std::size_t i) { return i; });
  if (name == "reversed") {
    const auto last = static_cast<std::size_t>(n) - 1;
    return numbers_of<T>(n, [last](std::size_t i) { return last - i; });
  }
  if (name == "few_distinct") {
    return numbers_of<T>(n, [random](std::size_t i) { return random(i) & 15; });
  }
  if (name == "zipf") {
    return numbers_of<T>(n, [seed](std::size_t i) {
      const std::uint64_t bits = random_bits(seed, i);
      const std::uint64_t octave = (bits >> 32) % 20;
      return (std::uint64_t{1} << octave) + (bits & ((std::uint64_t{1} << octave) - 1));
    });
  }
  return numbers_of<T>(n, random);
}

template std::vector<std::uint32_t> generate(const std::string&, std::int64_t, std::uint64_t);
template std::vector<std::uint64_t> generate(const std::string&, std::int64_t, std::uint64_t);

}  // namespace agpusim
