#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "agpusim/model/agpu/execution.hpp"
#include "agpusim/model/agpu/touch.hpp"

// Arithmetic of one word as the lanes and the memories of the abstract machine do it.
namespace agpusim {

namespace detail {

/// A signed result may leave the word: a violation (theory A20).
template <class T>
inline constexpr bool can_overflow = std::is_integral_v<T>&& std::is_signed_v<T>;

template <class T>
using wrapping_t = typename std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool>,
                                               std::make_unsigned<T>, std::type_identity<T>>::type;

/// Arithmetic that is defined for every pair of values: integers wrap.
template <class T, class F>
T wrapping(T a, T b, F f) {
  using U = wrapping_t<T>;
  return static_cast<T>(f(static_cast<U>(a), static_cast<U>(b)));
}

struct Add {
  static constexpr Op op = Op::add;
  template <class T>
  static T result(T a, T b) {
    return wrapping(a, b, [](auto p, auto q) { return p + q; });
  }
  /// Negative where the result does not fit.
  template <class T>
  static T overflows(T a, T b) {
    const T sum = result(a, b);
    return static_cast<T>((a ^ sum) & (b ^ sum));
  }
};

struct Subtract {
  static constexpr Op op = Op::add;
  template <class T>
  static T result(T a, T b) {
    return wrapping(a, b, [](auto p, auto q) { return p - q; });
  }
  /// Negative where the result does not fit.
  template <class T>
  static T overflows(T a, T b) {
    return static_cast<T>((a ^ b) & (a ^ result(a, b)));
  }
};

struct Multiply {
  static constexpr Op op = Op::multiply;
  template <class T>
  static T result(T a, T b) {
    return wrapping(a, b, [](auto p, auto q) { return p * q; });
  }
  template <class T>
  static bool overflows(T a, T b) {
    if constexpr (sizeof(T) <= 4) {
      const auto product = static_cast<std::int64_t>(a) * static_cast<std::int64_t>(b);
      return product != static_cast<T>(product);
    } else {
      T product;
      return __builtin_mul_overflow(a, b, &product);
    }
  }
};

}  // namespace detail

/// Whether two values have the same bits: those of a NaN are equal to themselves, 0 and -0 differ.
template <class T>
bool same_bits(const T& a, const T& b) {
  if constexpr (std::is_integral_v<T>) {
    return a == b;
  } else {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
  }
}

/// The operations that memory performs atomically, on the words for which CUDA has them. Those of
/// integers do not depend on the order.
template <class T>
concept AtomicWord = std::is_integral_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8);

struct AtomicAdd {
  static constexpr Touch touch = Touch::add;
  template <class T>
  static T combine(T a, T b) {
    return detail::Add::result(a, b);
  }
};
struct AtomicMax {
  static constexpr Touch touch = Touch::max;
  template <class T>
  static T combine(T a, T b) {
    return a < b ? b : a;
  }
};
struct AtomicMin {
  static constexpr Touch touch = Touch::min;
  template <class T>
  static T combine(T a, T b) {
    return b < a ? b : a;
  }
};

}  // namespace agpusim
