#pragma once

#include <cmath>
#include <type_traits>

#include "agpusim/model/fn.hpp"

// The kernel vocabulary for a lane value that is a plain scalar, as on CUDA; agpu/varying.hpp has
// the same functions for the lanes of the abstract machine.
namespace agpusim {

template <class T>
requires std::is_arithmetic_v<T> AGPUSIM_FN constexpr T min(const T& a, const T& b) {
  return b < a ? b : a;
}

template <class T>
requires std::is_arithmetic_v<T> AGPUSIM_FN constexpr T max(const T& a, const T& b) {
  return a < b ? b : a;
}

template <class T>
requires std::is_arithmetic_v<T> AGPUSIM_FN constexpr T select(bool condition, const T& a,
                                                               const T& b) {
  return condition ? a : b;
}

/// a·b + c, rounded once.
template <class T>
requires std::is_floating_point_v<T> AGPUSIM_FN T fma(const T& a, const T& b, const T& c) {
  return ::fma(a, b, c);
}

template <class R, class T>
requires std::is_arithmetic_v<R> && std::is_arithmetic_v<T> AGPUSIM_FN constexpr R cast(
    const T& a) {
  return static_cast<R>(a);
}

}  // namespace agpusim
