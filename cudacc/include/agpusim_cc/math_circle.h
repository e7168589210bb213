#pragma once

#include "math_core.h"

// Here are trigonometric functions, and those of the normal distribution and gamma; errors stand in
// math_core.h. Before each polynomial stands what it approximates.
namespace agpusim_math {

// (sin √z/√z - 1)/z and (cos √z - 1 + z/2)/z², z up to (pi/4)²
AGPUSIM_POLYNOMIAL(sine, (-0.000195876391F, 0.0083327471F, -0.166666647F),
                   (1.5917988979397433e-10, -2.5051129896450186e-8, 2.7557316093198405e-6,
                    -0.00019841269836740532, 0.0083333333333309366, -0.16666666666666665))
AGPUSIM_POLYNOMIAL(cosine, (2.45476898e-5F, -0.00138883019F, 0.0416666647F),
                   (-1.138254464534925e-11, 2.0876145049413179e-9, -2.755731726587808e-7,
                    2.4801587298754401e-5, -0.001388888888888739, 0.041666666666666665))
// (atan √z/√z - 1)/z
AGPUSIM_POLYNOMIAL(arc,
                   (-0.00238699732F, 0.0135077714F, -0.035871539F, 0.0625016944F, -0.0865688043F,
                    0.110337641F, -0.142785687F, 0.199997393F, -0.333333317F),
                   (1.8061954618612152e-5, -0.00019996189377901382, 0.0010496035084968515,
                    -0.0034958859739163095, 0.0083689311784501621, -0.015535152475414176,
                    0.023696731580048622, -0.031277189066996385, 0.037494868125352471,
                    -0.042603566326016521, 0.04737749579527779, -0.052579733342841108,
                    0.058815068777936561, -0.066665646992891042, 0.076922989710332169,
                    -0.090909085908919342, 0.11111111093490828, -0.14285714285384132,
                    0.19999999999997532, -0.3333333333333333))
// erf √z/√z
AGPUSIM_POLYNOMIAL(bell,
                   (7.87587506e-5F, -0.000801686429F, 0.00518908742F, -0.026854212F, 0.112835947F,
                    -0.376126267F, 1.12837917F),
                   (-7.7958988270021422e-10, 1.3720064546777686e-8, -1.6208483801871706e-7,
                    1.6447424703317362e-6, -1.492473690741966e-5, 0.00012055294904839708,
                    -0.00085483259753896921, 0.0052239776071164227, -0.02686617064323777,
                    0.11283791670945006, -0.3761263890318354, 1.1283791670955126))
// (1 + 2x)·e^(x²)·erfc x of (x - 4)/(x + 4)
AGPUSIM_POLYNOMIAL(
    tail,
    (-0.000492821999F, 0.00467499351F, -0.0163793174F, 0.0373842817F, -0.0662734979F, 0.0936760436F,
     -0.101046925F, 0.0681031005F, 0.0153800331F, -0.139621297F, 1.23299512F),
    (-1.0509342459155282e-8, -1.2227233212449023e-8, 1.057784031542937e-7, 6.7032807666258331e-8,
     -8.2268609134115171e-7, 2.9954883752820404e-7, 5.7087340636454336e-6, -1.1224726801702659e-5,
     -2.4399024148997975e-5, 0.00015062249316985678, -0.00019925670219629751,
     -0.0007577734482489815, 0.0050319699736470185, -0.01619773403832186, 0.037167515538395411,
     -0.066330365813603016, 0.093732834998275596, -0.1010390660362539, 0.068097054254695111,
     0.015379652102619028, -0.13962111684056254, 1.2329951186255525))

/// The angle is r and `quadrant` times pi/2, but for full turns.
template <class T>
struct Angle {
  T r;
  int quadrant;
};
/// The number is 2^10 or more: it is multiplied with those digits of 2/pi that count.
AGPUSIM_MATH Angle<double> reduce_large(double x) {
  typedef unsigned long long Word;
  typedef unsigned __int128 Words;
  // clang-format off
  static constexpr Word digits[] = {
      0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
      0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
      0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
      0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
      0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
      0xf0cfbc209af4361d};
  // clang-format on
  const Word whole = (bits(x) & 0xfffffffffffffULL) | 1ULL << 52;
  const int first = exponent(x) - 52 + 62;  // the digits before give multiples of 4
  const Word* const d = digits + first / 64;
  const int shift = first % 64;
  Word w[3];
  for (int i = 0; i < 3; ++i) w[i] = shift == 0 ? d[i] : d[i] << shift | d[i + 1] >> (64 - shift);
  const Words low = Words(w[2]) * whole;
  const Words middle = Words(w[1]) * whole + Word(low >> 64);
  const Word high = w[0] * whole + Word(middle >> 64);
  // Two bits are the quadrant, the others the fraction.
  Words fraction =
      Words(high << 2 | Word(middle) >> 62) << 64 | Word(middle) << 2 | Word(low) >> 62;
  int quadrant = int(high >> 62);
  const bool is_above = fraction >> 127 != 0;
  if (is_above) {
    fraction = -fraction;
    ++quadrant;
  }
  const double size = fma(double(Word(fraction >> 64)), 0x1p-64, double(Word(fraction)) * 0x1p-128);
  const double r = (is_above ? -size : size) * 1.5707963267948966;
  return {x < 0 ? -r : r, x < 0 ? -quadrant & 3 : quadrant & 3};
}
template <class T>
AGPUSIM_MATH Angle<T> reduce(T x) {
  constexpr T most = sizeof(T) == 4 ? 1e5F : 1e9;
  if (!(fabs(x) < most)) {
    if (!is_finite(x)) return {x - x, 0};
    const Angle<double> exact = reduce_large(x);
    return {T(exact.r), exact.quadrant};
  }
  const T n = rint(x * T(0.6366197723675814));
  T r = x;
  for (int i = 0; i < 3; ++i) r = fma(n, -Format<T>::half_pi[i], r);
  return {r, int(n)};
}
template <class T>
AGPUSIM_MATH T sine_of(T r) {
  const T z = r * r;
  return fma(z * sine(z), r, r);
}
template <class T>
AGPUSIM_MATH T cosine_of(T r) {
  const T z = r * r;
  const T first = fma(z, T(-0.5), T(1));
  return first + fma(z * z, cosine(z), fma(z, T(-0.5), 1 - first));
}
/// It is the sine of the angle and `more` quadrants.
template <class T>
AGPUSIM_MATH T sine_of(Angle<T> a, int more) {
  const int quadrant = a.quadrant + more;
  const T value = quadrant & 1 ? cosine_of(a.r) : sine_of(a.r);
  return quadrant & 2 ? -value : value;
}
template <class T>
AGPUSIM_MATH T sin(T x) {
  return sine_of(reduce(x), 0);
}
template <class T>
AGPUSIM_MATH T cos(T x) {
  return sine_of(reduce(x), 1);
}
template <class T>
AGPUSIM_MATH T tan(T x) {
  const Angle<T> a = reduce(x);
  return sine_of(a, 0) / sine_of(a, 1);
}
template <class T>
AGPUSIM_MATH Angle<T> reduce_pi(T x) {
  if (!is_finite(x)) return {x - x, 0};
  const T within = x - 2 * trunc(x / 2);  // -2 .. 2
  const T n = rint(within + within);
  return {fma(n, T(-0.5), within) * T(3.141592653589793), int(n)};
}
template <class T>
AGPUSIM_MATH T sinpi(T x) {
  return sine_of(reduce_pi(x), 0);
}
template <class T>
AGPUSIM_MATH T cospi(T x) {
  return sine_of(reduce_pi(x), 1);
}

template <class T>
AGPUSIM_MATH T atan2(T y, T x) {
  const T a = fabs(y);
  const T b = fabs(x);
  if (x != x || y != y) return x + y;
  const T most = fmax(a, b);
  const T t = a == b ? T(most != 0) : fmin(a, b) / most;
  T value = fma(t * t * arc(t * t), t, t);
  const bool is_left = bits(x) >> (8 * sizeof(T) - 1);
  if (a > b) value = Format<T>::half_pi[0] - (value - Format<T>::half_pi[1]);
  if (is_left) value = 2 * Format<T>::half_pi[0] - (value - 2 * Format<T>::half_pi[1]);
  return copysign(value, y);
}
template <class T>
AGPUSIM_MATH T atan(T x) {
  return atan2(x, T(1));
}
template <class T>
AGPUSIM_MATH T asin(T x) {
  return atan2(x, sqrt((1 - x) * (1 + x)));
}
template <class T>
AGPUSIM_MATH T acos(T x) {
  return 2 * atan2(sqrt(1 - x), sqrt(1 + x));
}

/// e^(-x²)
template <class T>
AGPUSIM_MATH T bell_curve(T x) {
  const T square = x * x;
  const T e = exp(-square);
  return fma(e, -fma(x, x, -square), e);
}
/// x is 0.5 or more.
template <class T>
AGPUSIM_MATH T erfc_of_large(T x) {
  if (x > (sizeof(T) == 4 ? 11 : 28)) return x != x ? x : T(0);
  return tail((x - 4) / (x + 4)) / fma(T(2), x, T(1)) * bell_curve(x);
}
template <class T>
AGPUSIM_MATH T erf(T x) {
  const T a = fabs(x);
  return a < 1 ? x * bell(x * x) : copysign(1 - erfc_of_large(a), x);
}
template <class T>
AGPUSIM_MATH T erfc(T x) {
  if (x > -1 && x < T(0.5)) return 1 - x * bell(x * x);
  return x < 0 ? 2 - erfc_of_large(-x) : erfc_of_large(x);
}
template <class T>
AGPUSIM_MATH T normcdf(T x) {
  return T(0.5) * erfc(x * T(-0.7071067811865476));
}

/// log |gamma x| is Stirling's series behind some steps up; `sign` is that of gamma x.
AGPUSIM_MATH double log_gamma(double x, double* sign) {
  *sign = 1;
  if (x != x || x == infinity<double>()) return x;
  if (x <= 0 && x == trunc(x)) return infinity<double>();
  if (x < 0) {  // by reflection
    double other = 1;
    const double s = sinpi(x);
    *sign = s < 0 ? -1 : 1;
    return log(3.141592653589793 / (-x * fabs(s))) - log_gamma(-x, &other);
  }
  double steps = 1;
  while (x < 12) steps *= x++;
  const double z = 1 / x / x;
  const double series = horner(z, 1.0 / 156, -691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260,
                               -1.0 / 360, 1.0 / 12);
  return (x - 0.5) * log(x) - x + 0.91893853320467274 + series / x - log(steps);
}
template <class T>
AGPUSIM_MATH T lgamma(T x) {
  double sign = 1;
  return fabs(x) == infinity<T>() ? fabs(x) : T(log_gamma(x, &sign));
}
template <class T>
AGPUSIM_MATH T tgamma(T x) {
  double sign = 1;
  if (x < 0 && x == trunc(x)) return T(__builtin_nan(""));
  const double size = exp(log_gamma(x, &sign));
  return T(x == 0 ? double(1 / x) : sign * size);
}

}  // namespace agpusim_math
