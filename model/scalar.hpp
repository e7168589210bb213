#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "agpusim/model/fn.hpp"

// The functions of the kernel vocabulary for scalars: uniform values, and lanes on CUDA. They
// compute in the type in which C++ compares and chooses; agpu/operators.hpp has them for the lanes
// of the abstract machine, which takes only operands for which that is the lanes' type.
namespace agpusim {

template <class T>
concept Scalar = std::is_arithmetic_v<T>;

template <Scalar A, Scalar B>
AGPUSIM_FN constexpr auto min(const A& a, const B& b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}

template <Scalar A, Scalar B>
AGPUSIM_FN constexpr auto max(const A& a, const B& b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}

template <Scalar A, Scalar B>
AGPUSIM_FN constexpr auto select(bool condition, const A& a, const B& b) {
  using T = std::common_type_t<A, B>;
  return condition ? static_cast<T>(a) : static_cast<T>(b);
}

/// a·b + c of floating-point numbers, rounded once.
template <Scalar A, Scalar B, Scalar C>
AGPUSIM_FN auto fma(const A& a, const B& b, const C& c) {
  using T = std::common_type_t<A, B, C>;
  static_assert(std::is_floating_point_v<T>, "fma takes floating-point numbers");
  return std::fma(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
}

template <Scalar R, Scalar T>
AGPUSIM_FN constexpr R cast(const T& a) {
  return static_cast<R>(a);
}

/// The bits of `a` as another type of the same size.
template <Scalar R, Scalar T>
requires(sizeof(R) == sizeof(T)) AGPUSIM_FN R bit_cast(const T& a) {
  R result;
  std::memcpy(&result, &a, sizeof(R));
  return result;
}

/// Absolute value of a floating-point number or a signed integer.
template <Scalar T>
requires(std::is_signed_v<T> && sizeof(T) >= 4) AGPUSIM_FN T abs(const T& a) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fabs(a);
  } else {
    return a < 0 ? -a : a;
  }
}

template <std::floating_point T>
AGPUSIM_FN T floor(const T& a) {
  return std::floor(a);
}

/// Rounded correctly on every machine.
template <std::floating_point T>
AGPUSIM_FN T sqrt(const T& a) {
  return std::sqrt(a);
}

/// How many bits of an unsigned integer of 32 or 64 bits are 1.
template <std::unsigned_integral T>
requires(sizeof(T) >= 4) AGPUSIM_FN constexpr std::int32_t popcount(T a) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 8) {
    return __popcll(a);
  } else {
    return __popc(a);
  }
#else
  return std::popcount(a);
#endif
}

/// The number of the highest bit of an unsigned integer of 32 or 64 bits that is 1; -1 of 0.
template <std::unsigned_integral T>
requires(sizeof(T) >= 4) AGPUSIM_FN constexpr std::int32_t highest_bit(T a) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 8) {
    return 63 - __clzll(static_cast<long long>(a));
  } else {
    return 31 - __clz(static_cast<int>(a));
  }
#else
  return static_cast<std::int32_t>(std::bit_width(a)) - 1;
#endif
}

}  // namespace agpusim
