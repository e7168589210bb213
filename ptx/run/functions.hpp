#pragma once

#include <algorithm>
#include <type_traits>

#include "agpusim/ptx/run/lanes.hpp"

// Functions of numbers that lanes, warps and memory compute alike.
namespace agpusim::ptx {

/// Unsigned and at least 32 bits wide, so that nothing is promoted to int.
template <class T>
using Word = std::conditional_t<sizeof(T) == 8, u64, u32>;
template <class T>
Word<T> word(T value) {
  return static_cast<Word<T>>(value);
}

/// a + b; integers wrap, as in hardware.
struct Sum {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return a + b;
    return static_cast<T>(word(a) + word(b));
  }
};
struct Minimum {
  template <class T>
  static T of(T a, T b) {
    return std::min(a, b);
  }
};
struct Maximum {
  template <class T>
  static T of(T a, T b) {
    return std::max(a, b);
  }
};
struct And {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

}  // namespace agpusim::ptx
