#pragma once

#include <concepts>
#include <cstdint>

#include "agpusim/model/scalar.hpp"

// exp, log, tanh, pow, sin, cos and rsqrt of 32-bit floating-point numbers, for scalars and for the
// lanes of both machines. Each is a sequence of words of the vocabulary, priced word by word, so
// that all machines give the same bits. Errors: tests/model/elementary_test.cpp.
namespace agpusim {

namespace detail {

template <class V>
struct ElementOf {
  using type = V;
};
template <class V>
requires requires { typename V::value_type; }
struct ElementOf<V> {
  using type = typename V::value_type;
};

}  // namespace detail

/// A float, or a lane value of floats.
template <class V>
concept Float = std::same_as < typename detail::ElementOf<V>::type,
float > ;

namespace detail {

/// Added to a number below 2^22, rounds it to an integer, which its lowest bits then are.
AGPUSIM_FN constexpr float rounder() { return 12582912.0F; }  // 1.5·2^23

/// a·z + b, of numbers that are constants or values.
template <Float V>
AGPUSIM_FN V horner(const V& a, const V&) {
  return a;
}
template <Float V, class... More>
AGPUSIM_FN V horner(const V& a, const V& z, float b, More... more) {
  return horner(fma(a, z, b), z, more...);
}

/// Sine (odd = 0) or cosine (odd = 1) of x, which is reduced to a quadrant of +-pi/4.
template <Float V>
AGPUSIM_FN V sine_or_cosine(const V& x, std::int32_t odd) {
  const auto shifted = fma(x, 0.636619772F, rounder());  // 2/pi
  const auto n = shifted - rounder();
  // pi/2 in three parts
  auto r = fma(n, -1.57079637F, x);
  r = fma(n, 4.37113883e-8F, r);
  r = fma(n, 1.71512451e-15F, r);
  const auto quadrant = bit_cast<std::int32_t>(shifted) + odd;
  const auto z = r * r;
  const auto sine =
      fma(horner(fma(z, -1.95152959e-4F, 8.33216087e-3F), z, -1.66666546e-1F) * z, r, r);
  const auto cosine = fma(horner(fma(z, 2.44331571e-5F, -1.38873163e-3F), z, 4.16666457e-2F), z * z,
                          fma(z, -0.5F, 1.0F));
  const auto value = select((quadrant & 1) == 0, sine, cosine);
  return select((quadrant & 2) == 0, value, 0.0F - value);
}

}  // namespace detail

/// e^x; 0 below 2^-125.
template <Float V>
AGPUSIM_FN V exp(const V& x) {
  const auto bounded = min(max(x, -87.4F), 89.0F);
  const auto shifted = fma(bounded, 1.44269504F, detail::rounder());  // 1/ln 2
  const auto n = shifted - detail::rounder();
  const auto r = fma(n, -1.42860682e-6F, fma(n, -0.693145752F, bounded));  // ln 2 in two parts
  const auto p = detail::horner(fma(r, 1.98756915e-4F, 1.39819995e-3F), r, 8.33345191e-3F,
                                4.16657959e-2F, 1.66666655e-1F, 0.5F, 1.0F, 1.0F);
  // 2^(n-1), since 2^128 is no number
  const auto half = bit_cast<float>((bit_cast<std::uint32_t>(shifted) << 23) + 0x3f000000U);
  return (p + p) * half;
}

/// The natural logarithm; of 0 and of numbers below 2^-126 minus infinity, of negative ones no
/// number.
template <Float V>
AGPUSIM_FN V log(const V& x) {
  constexpr float infinity = __builtin_huge_valf();
  // x = m·2^k with m in 0.7 .. 1.4
  const auto bits = bit_cast<std::uint32_t>(x);
  const auto exponent = (bits - 0x3f330000U) & 0xff800000U;
  const auto k = cast<float>(bit_cast<std::int32_t>(exponent) >> 23);
  const auto f = bit_cast<float>(bits - exponent) - 1.0F;
  const auto z = f * f;
  const auto p = detail::horner(fma(f, 7.03768363e-2F, -1.15146103e-1F), f, 1.16769987e-1F,
                                -1.24201408e-1F, 1.42493228e-1F, -1.66680577e-1F, 2.00007148e-1F,
                                -2.49999940e-1F, 3.33333312e-1F);
  // ln 2 in two parts
  const auto small = fma(k, -2.12194440e-4F, fma(z, -0.5F, f * z * p));
  const auto y = fma(k, 0.693359375F, f + small);
  const auto special = select(x >= 0.0F, -infinity, __builtin_nanf(""));
  return select(x >= 0x1p-126F, select(x < infinity, y, x), special);
}

template <Float V>
AGPUSIM_FN V tanh(const V& x) {
  const auto size = abs(x);
  const auto z = x * x;
  const auto p = detail::horner(fma(z, -5.70498873e-3F, 2.06390888e-2F), z, -5.37397156e-2F,
                                1.33314422e-1F, -3.33332819e-1F);
  const auto small = fma(p * z, x, x);
  const auto large = 1.0F - 2.0F / (exp(size + size) + 1.0F);
  return select(size < 0.625F, small, select(x < 0.0F, 0.0F - large, large));
}

/// x^y of an x that is not negative.
template <Float V>
AGPUSIM_FN V pow(const V& x, const V& y) {
  return select(y == 0.0F, 1.0F, exp(log(x) * y));
}
template <Float V>
requires(!std::same_as<V, float>) AGPUSIM_FN V pow(const V& x, float y) {
  return y == 0.0F ? select(x == x, 1.0F, 1.0F) : exp(log(x) * y);
}

/// sin(x), for |x| up to 30,000.
template <Float V>
AGPUSIM_FN V sin(const V& x) {
  return detail::sine_or_cosine(x, 0);
}
template <Float V>
AGPUSIM_FN V cos(const V& x) {
  return detail::sine_or_cosine(x, 1);
}

template <Float V>
AGPUSIM_FN V rsqrt(const V& x) {
  return 1.0F / sqrt(x);
}

}  // namespace agpusim
