#include "agpusim/algorithms/common/inputs.hpp"

#include <functional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

/// Element i of n.
struct Element {
  std::uint64_t seed;
  std::uint64_t i;
  std::uint64_t n;
  int bits;  // of the element type

  [[nodiscard]] std::uint64_t random() const { return random_bits(seed, i) >> (64 - bits); }
};

struct Kind {
  std::string name;
  std::string help;
  std::function<std::uint64_t(const Element&)> value;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> table = {
      {"uniform", "every bit pattern equally likely", [](const Element& e) { return e.random(); }},
      {"equal", "one value n times",
       [](const Element& e) { return random_bits(e.seed, 0) >> (64 - e.bits); }},
      {"sorted", "0, 1, 2, ..., n-1", [](const Element& e) { return e.i; }},
      {"reversed", "n-1, ..., 2, 1, 0", [](const Element& e) { return e.n - 1 - e.i; }},
      {"few_distinct", "16 values, equally likely",
       [](const Element& e) { return e.random() & 15; }},
      {"zipf", "value v with probability about 1/v, v < 2^20 (constant in each octave)",
       [](const Element& e) {
         const std::uint64_t bits = random_bits(e.seed, e.i);
         const std::uint64_t octave = (bits >> 32) % 20;
         return (std::uint64_t{1} << octave) + (bits & ((std::uint64_t{1} << octave) - 1));
       }},
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
  const Kind& row = find_kind(kind);
  std::vector<T> values(static_cast<std::size_t>(n));
  Element element{seed, 0, values.size(), static_cast<int>(8 * sizeof(T))};
  for (T& value : values) {
    value = static_cast<T>(row.value(element));
    ++element.i;
  }
  return values;
}

template std::vector<std::uint32_t> generate(const std::string&, std::int64_t, std::uint64_t);
template std::vector<std::uint64_t> generate(const std::string&, std::int64_t, std::uint64_t);

}  // namespace agpusim
