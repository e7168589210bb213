#include "agpusim/algorithms/common/inputs.hpp"

#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/numbers_of.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

template <class T>
std::uint64_t random(std::uint64_t seed, std::size_t i) {
  return random_bits(seed, i) >> (64 - 8 * sizeof(T));
}

template <class T>
struct Kind {
  std::string name;
  std::string help;
  std::vector<T> (*make)(std::int64_t n, std::uint64_t seed);
};

template <class T>
const std::vector<Kind<T>>& kinds() {
  static const std::vector<Kind<T>> table = {
      {"uniform", "every bit pattern equally likely",
       [](std::int64_t n, std::uint64_t seed) {
         return numbers_of<T>(n, [seed](std::size_t i) { return random<T>(seed, i); });
       }},
      {"equal", "one value n times",
       [](std::int64_t n, std::uint64_t seed) {
         return numbers_of<T>(n, [seed](std::size_t) { return random<T>(seed, 0); });
       }},
      {"sorted", "0, 1, 2, ..., n-1",
       [](std::int64_t n, std::uint64_t) {
         return numbers_of<T>(n, [](std::size_t i) { return i; });
       }},
      {"reversed", "n-1, ..., 2, 1, 0",
       [](std::int64_t n, std::uint64_t) {
         const auto last = static_cast<std::size_t>(n) - 1;
         return numbers_of<T>(n, [last](std::size_t i) { return last - i; });
       }},
      {"few_distinct", "16 values, equally likely",
       [](std::int64_t n, std::uint64_t seed) {
         return numbers_of<T>(n, [seed](std::size_t i) { return random<T>(seed, i) & 15; });
       }},
      {"zipf", "value v with probability about 1/v, v < 2^20 (constant in each octave)",
       [](std::int64_t n, std::uint64_t seed) {
         return numbers_of<T>(n, [seed](std::size_t i) {
           const std::uint64_t bits = random_bits(seed, i);
           const std::uint64_t octave = (bits >> 32) % 20;
           return (std::uint64_t{1} << octave) + (bits & ((std::uint64_t{1} << octave) - 1));
         });
       }},
  };
  return table;
}

template <class T>
const Kind<T>& find_kind(const std::string& name) {
  for (const Kind<T>& kind : kinds<T>()) {
    if (kind.name == name) return kind;
  }
  throw UsageError(fmt::format("unknown input '{}': known are {}, and values:3,1,4 or file:NAME",
                               name, fmt::join(input_kinds(), ", ")));
}

}  // namespace

const std::vector<std::string>& input_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const auto& kind : kinds<std::uint32_t>()) result.push_back(kind.name);
    return result;
  }();
  return names;
}

std::string describe_input(const std::string& kind) { return find_kind<std::uint32_t>(kind).help; }

template <class T>
std::vector<T> generate(const std::string& kind, std::int64_t n, std::uint64_t seed) {
  if (is_given(kind)) return given_values<T>(kind, n, "key");
  return find_kind<T>(kind).make(n, seed);
}

template std::vector<std::uint32_t> generate(const std::string&, std::int64_t, std::uint64_t);
template std::vector<std::uint64_t> generate(const std::string&, std::int64_t, std::uint64_t);

}  // namespace agpusim
