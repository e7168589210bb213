#pragma once

#include "math_core.h"

// Here are powers, roots and remainders of float and double; their errors stand in math_core.h.
namespace agpusim_math {

/// The sum of both is the number.
template <class T>
struct Two {
  T high;
  T low;
};
template <class T>
AGPUSIM_MATH Two<T> sum(T a, T b) {
  const T high = a + b;
  const T part = high - a;
  return {high, (a - (high - part)) + (b - part)};
}
template <class T>
AGPUSIM_MATH Two<T> product(Two<T> a, Two<T> b) {
  const T high = a.high * b.high;
  return {high, fma(a.high, b.high, -high) + fma(a.high, b.low, a.low * b.high)};
}
template <class T>
AGPUSIM_MATH Two<T> long_log(T x) {
  const Split<T> parts = split(x);
  const T f = parts.m - 1;
  const Two<T> c = {parts.m + 1, parts.m - (parts.m + 1 - 1)};
  Two<T> s = {f / c.high, 0};
  s.low = (fma(-s.high, c.high, f) - s.high * c.low) / c.high;
  const Two<T> z = product(s, s);
  const T two_thirds = T(2.0 / 3);
  Two<T> r = sum(two_thirds, logarithm(z.high) - two_thirds);
  r.low += (2 - 3 * two_thirds) / 3;
  const Two<T> cube = product(product(s, z), r);
  Two<T> all = sum(parts.k * Format<T>::ln2[0], 2 * s.high);
  const Two<T> more = sum(all.high, cube.high);
  all =
      sum(more.high, all.low + more.low + (fma(parts.k, Format<T>::ln2[1], 2 * s.low) + cube.low));
  return all;
}
template <class T>
AGPUSIM_MATH T pow(T x, T y) {
  const T a = fabs(x);
  if (y == 0 || x == 1 || (a == 1 && fabs(y) == infinity<T>())) return 1;
  if (x != x || y != y) return x + y;
  Two<T> l = {a == 0 ? -infinity<T>() : a, 0};
  if (a != 0 && a < infinity<T>()) l = long_log(a);
  const T p = y * l.high;
  const T low = fma(y, l.high, -p) + y * l.low;
  constexpr T most = sizeof(T) == 4 ? 105 : 746;
  const T e = exp(p);
  const T value = fabs(p) < most && is_finite(e) ? fma(e, low, e) : e;
  if (x > 0 || (x == 0 && !(bits(x) >> (8 * sizeof(T) - 1)))) return value;
  if (trunc(y) != y) return x < 0 && is_finite(x) ? T(__builtin_nan("")) : value;
  return trunc(y / 2) != y / 2 ? -value : value;
}
template <class T>
AGPUSIM_MATH T cbrt(T x) {
  if (x == 0 || !is_finite(x)) return x;
  int n = 0;
  const T m = frexp(fabs(x), &n);  // three times k, and what is left, is n
  const int k = (n + 3000) / 3 - 1000;
  const T v = ldexp(m, n - 3 * k);
  T y = fma(v, T(0.19), T(0.75));
  for (int i = 0; i < (sizeof(T) == 4 ? 3 : 5); ++i) y = y - (y - v / (y * y)) / 3;
  return copysign(ldexp(y, k), x);
}
template <class T>
AGPUSIM_MATH T hypot(T x, T y) {
  const T a = fmax(fabs(x), fabs(y));
  const T b = fmin(fabs(x), fabs(y));
  if (a == infinity<T>()) return a;
  if (a == 0 || x != x || y != y) return a + x * 0 + y * 0;
  int n = 0;
  const T m = frexp(a, &n);
  const T k = ldexp(b, -n);
  return ldexp(sqrt(fma(m, m, k * k)), n);
}
/// It is a long division, which is exact.
template <class T>
AGPUSIM_MATH T fmod(T x, T y) {
  T a = fabs(x);
  const T b = fabs(y);
  if (!(a < infinity<T>()) || b == 0 || y != y) return T(__builtin_nan(""));
  constexpr int whole = Format<T>::mantissa;  // bits of a quotient that is exact
  while (a >= b) {
    int of_a = 0;
    int of_b = 0;
    frexp(a, &of_a);
    frexp(b, &of_b);
    const T part = ldexp(b, of_a - of_b > whole ? of_a - of_b - whole : 0);
    a = fma(-trunc(a / part), part, a);
    if (a < 0) a += part;
  }
  return copysign(a, x);
}
template <class T>
AGPUSIM_MATH T remainder(T x, T y) {
  const T b = fabs(y);
  if (b == infinity<T>() && is_finite(x)) return x;
  T a = fabs(fmod(x, b + b < infinity<T>() ? b + b : b));
  if (a > b - a) {
    a -= b;
    if (a >= b - a) a -= b;
  }
  return bits(x) >> (8 * sizeof(T) - 1) ? -a : a;
}
template <class T>
AGPUSIM_MATH T nextafter(T x, T y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) return copysign(number(Bits<T>(1)), y);
  return number(bits(x) + ((x < y) == (x > 0) ? Bits<T>(1) : ~Bits<T>(0)));
}

}  // namespace agpusim_math
