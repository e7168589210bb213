#pragma once

#include <cmath>
#include <string_view>
#include <type_traits>

#include "agpusim/ptx/lower/opcodes.hpp"
#include "agpusim/ptx/run/warp.hpp"

// What setp and set compare, and what they combine the result with.
namespace agpusim::ptx {

#define AGPUSIM_PTX_COMPARISONS "eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan "

enum class Comparison { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
inline constexpr int comparison_count = 14;
/// The comparisons by name; of unsigned integers lo, ls, hi and hs are lt, le, gt and ge.
inline constexpr std::string_view comparison_names[] = {
    "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
inline constexpr std::string_view unsigned_comparison_names[] = {"lo", "ls", "hi", "hs"};

/// The one that a spelling begins with.
inline int comparison_of(const Spelling& spelling) {
  const std::string_view name = spelling.modifiers[0];
  for (int i = 0; i < comparison_count; ++i) {
    if (comparison_names[i] == name) return i;
  }
  for (int i = 0; i < 4; ++i) {
    if (unsigned_comparison_names[i] == name) return static_cast<int>(Comparison::lt) + i;
  }
  return -1;
}

template <class T>
bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

template <Comparison how, class T>
bool compare(T a, T b) {
  using enum Comparison;
  if constexpr (how == eq) return a == b;
  // Ordered comparisons of floats, ne too, are false where one is no number.
  if constexpr (how == ne) return a != b && !is_nan(a) && !is_nan(b);
  if constexpr (how == lt) return a < b;
  if constexpr (how == le) return a <= b;
  if constexpr (how == gt) return a > b;
  if constexpr (how == ge) return a >= b;
  const bool unordered = is_nan(a) || is_nan(b);
  if constexpr (how == equ) return unordered || a == b;
  if constexpr (how == neu) return a != b;
  if constexpr (how == ltu) return unordered || a < b;
  if constexpr (how == leu) return unordered || a <= b;
  if constexpr (how == gtu) return unordered || a > b;
  if constexpr (how == geu) return unordered || a >= b;
  if constexpr (how == num) return !unordered;
  return unordered;
}

enum class Combine { none, with_and, with_or, with_xor };
template <Combine combine>
Lanes combined(Warp& warp, const Instruction& i, Lanes value) {
  if (combine == Combine::none) return value;
  const Lanes other = warp.predicate(i.place[4]);
  return combine == Combine::with_and  ? value & other
         : combine == Combine::with_or ? value | other
                                       : value ^ other;
}
/// f.operator()<combine>().
template <class F>
Execute with_combination(const Spelling& spelling, F f) {
  if (spelling.has("and")) return f.template operator()<Combine::with_and>();
  if (spelling.has("or")) return f.template operator()<Combine::with_or>();
  if (spelling.has("xor")) return f.template operator()<Combine::with_xor>();
  return f.template operator()<Combine::none>();
}

}  // namespace agpusim::ptx
