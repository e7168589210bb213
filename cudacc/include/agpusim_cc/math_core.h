#pragma once

// Elementary functions of float and double consist of +, *, / and fma; polynomials are minimax.
// tests/exec_cc/math_error.cc measures their largest errors on the host. In units in the last
// place they are at most 3, but 4.5 of erfc, 300 of tgamma of doubles. lgamma of doubles is wrong
// by 1e-14 at most, relative to 1 and its size. fmod, remainder and nextafter are exact.
// An argument of sin, cos and tan may be any number; they and sinpi return 0 for -0.
#ifdef __CUDA__
#define AGPUSIM_MATH static inline __attribute__((device, nodebug))
#else
#define AGPUSIM_MATH static inline
#endif

namespace agpusim_math {

template <class T>
struct Format;
template <>
struct Format<float> {
  typedef unsigned Bits;
  typedef int Signed;
  static constexpr int mantissa = 23, bias = 127;
  static constexpr float ln2[] = {0x1.62e8p-1F, -0x1.e8082ep-16F};
  static constexpr float log10_2[] = {0x1.344p-2F, 0x1.3509f8p-18F};
  static constexpr float half_pi[] = {0x1.921fb6p+0F, -0x1.777a5cp-25F, -0x1.ee59dap-50F};
};
template <>
struct Format<double> {
  typedef unsigned long long Bits;
  typedef long long Signed;
  static constexpr int mantissa = 52, bias = 1023;
  static constexpr double ln2[] = {0x1.62e42ffp-1, -0x1.718432a1b0e26p-35};
  static constexpr double log10_2[] = {0x1.3441350ap-2, -0x1.0c0219dc1da99p-39};
  static constexpr double half_pi[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                                       -0x1.f1976b7ed8fbcp-110};
};
template <class T>
using Bits = typename Format<T>::Bits;

AGPUSIM_MATH unsigned bits(float x) { return __builtin_bit_cast(unsigned, x); }
AGPUSIM_MATH unsigned long long bits(double x) { return __builtin_bit_cast(unsigned long long, x); }
AGPUSIM_MATH float number(unsigned b) { return __builtin_bit_cast(float, b); }
AGPUSIM_MATH double number(unsigned long long b) { return __builtin_bit_cast(double, b); }

/// X(name, parameters, arguments) stands for a single instruction.
#define AGPUSIM_INSTRUCTIONS(X)      \
  X(fma, (T a, T b, T c), (a, b, c)) \
  X(sqrt, (T a), (a))                \
  X(fabs, (T a), (a))                \
  X(floor, (T a), (a))               \
  X(ceil, (T a), (a))                \
  X(trunc, (T a), (a))               \
  X(rint, (T a), (a))                \
  X(round, (T a), (a))               \
  X(fmin, (T a, T b), (a, b))        \
  X(fmax, (T a, T b), (a, b))        \
  X(copysign, (T a, T b), (a, b))
#define AGPUSIM_INSTRUCTION(name, parameters, arguments) \
  template <class T>                                     \
  AGPUSIM_MATH T name parameters {                       \
    if constexpr (sizeof(T) == 4)                        \
      return __builtin_##name##f arguments;              \
    else                                                 \
      return __builtin_##name arguments;                 \
  }
AGPUSIM_INSTRUCTIONS(AGPUSIM_INSTRUCTION)

template <class T>
AGPUSIM_MATH T infinity() {
  return T(__builtin_huge_val());
}
template <class T>
AGPUSIM_MATH bool is_finite(T x) {
  return fabs(x) < infinity<T>();
}
/// The sum a·z^n + ...; the highest coefficient comes first.
template <class T>
AGPUSIM_MATH T horner(T, T a) {
  return a;
}
template <class T, class... More>
AGPUSIM_MATH T horner(T z, T a, T b, More... more) {
  return horner(z, fma(a, z, b), more...);
}
#define AGPUSIM_LIST(...) __VA_ARGS__
#define AGPUSIM_POLYNOMIAL(name, of_float, of_double)                           \
  AGPUSIM_MATH float name(float z) { return horner(z, AGPUSIM_LIST of_float); } \
  AGPUSIM_MATH double name(double z) { return horner(z, AGPUSIM_LIST of_double); }

/// 2^n is a normal number.
template <class T>
AGPUSIM_MATH T power_of_two(int n) {
  return number(Bits<T>(n + Format<T>::bias) << Format<T>::mantissa);
}
/// x is a normal number.
template <class T>
AGPUSIM_MATH int exponent(T x) {
  return int(bits(fabs(x)) >> Format<T>::mantissa) - Format<T>::bias;
}
template <class T>
AGPUSIM_MATH T ldexp(T x, int n) {
  constexpr int most = Format<T>::bias - 1;
  for (int i = 0; i < 2 && (n > most || n < -most); ++i) {
    const int step = n < 0 ? -most : most;
    x *= power_of_two<T>(step);
    n -= step;
  }
  return x * power_of_two<T>(n < -most ? -most : n > most ? most : n);
}
/// It returns a number in 0.5 .. 1, which times 2^n is x.
template <class T>
AGPUSIM_MATH T frexp(T x, int* n) {
  *n = 0;
  if (x == 0 || !is_finite(x)) return x;
  constexpr int up = Format<T>::mantissa + 2;
  const bool is_small = fabs(x) < power_of_two<T>(1 - Format<T>::bias);
  const T y = is_small ? x * power_of_two<T>(up) : x;
  const int e = exponent(y) + 1;
  *n = is_small ? e - up : e;
  return y * power_of_two<T>(-e / 2) * power_of_two<T>(-e - -e / 2);
}

// Of exponentials, x is n·ln 2 + r.

// (e^r - 1 - r)/r²
AGPUSIM_POLYNOMIAL(exponential, (0.00139262508F, 0.00836323288F, 0.0416665542F, 0.166665767F, 0.5F),
                   (2.5100472505694996e-8, 2.7620201591031549e-7, 2.7557268276905696e-6,
                    2.4801521057868205e-5, 0.00019841269863171556, 0.0013888888917367081,
                    0.0083333333333300382, 0.041666666666623821, 0.16666666666666667,
                    0.5000000000000001))
/// e^r·2^n - `less`; r is at most ln 2/2 in size, and n at most 2^11.
template <class T>
AGPUSIM_MATH T grown(T r, T n, T less) {
  const int half = int(n) / 2;
  const int rest = int(n) - half;
  const T first = power_of_two<T>(half);
  const T ones = less == 0 ? first : first - less * power_of_two<T>(-rest);
  return fma(fma(r * r, exponential(r), r), first, ones) * power_of_two<T>(rest);
}
template <class T>
AGPUSIM_MATH T bounded(T x, T most) {
  return fmin(fmax(x, -most), most);
}
template <class T>
AGPUSIM_MATH T grow_e(T x, T less) {
  const T inside = bounded(x, T(sizeof(T) == 4 ? 105 : 746));
  const T n = rint(inside * T(1.4426950408889634));
  const T r = fma(n, -Format<T>::ln2[1], fma(n, -Format<T>::ln2[0], inside));
  return x == x ? grown(r, n, less) : x;
}
template <class T>
AGPUSIM_MATH T exp(T x) {
  return grow_e(x, T(0));
}
template <class T>
AGPUSIM_MATH T expm1(T x) {
  return x == 0 || x == infinity<T>() ? x : grow_e(x, T(1));
}
template <class T>
AGPUSIM_MATH T exp2(T x) {
  const T inside = bounded(x, T(sizeof(T) == 4 ? 152 : 1077));
  const T n = rint(inside);
  return x == x ? grown((inside - n) * T(0.6931471805599453), n, T(0)) : x;
}
template <class T>
AGPUSIM_MATH T exp10(T x) {
  const T inside = bounded(x, T(sizeof(T) == 4 ? 46 : 324));
  const T n = rint(inside * T(3.321928094887362));
  const T r = fma(n, -Format<T>::log10_2[1], fma(n, -Format<T>::log10_2[0], inside));
  return x == x ? grown(r * T(2.302585092994046), n, T(0)) : x;
}
template <class T>
AGPUSIM_MATH T sinh(T x) {
  const T a = fabs(x);
  const T half = exp(a / 2);
  const T e = expm1(a);
  return copysign(a > 30 ? half / 2 * half : (e + e / (e + 1)) / 2, x);
}
template <class T>
AGPUSIM_MATH T cosh(T x) {
  const T half = exp(fabs(x) / 2);
  const T e = half * half;
  return fabs(x) > 30 ? half / 2 * half : (exp(fabs(x)) + 1 / e) / 2;
}
template <class T>
AGPUSIM_MATH T tanh(T x) {
  const T a = fabs(x);
  const T e = expm1(a > 22 ? T(44) : a + a);
  return x != x ? x : copysign(e / (e + 2), x);
}

// Of logarithms, x is m·2^k, m lies between sqrt(1/2) and sqrt(2), and s is (m - 1)/(m + 1).

// (log m - 2s)/s³ of s²
AGPUSIM_POLYNOMIAL(logarithm, (0.233328009F, 0.28550735F, 0.400001226F, 0.666666666F),
                   (0.14619211079226652, 0.15331497967670063, 0.18182895859951761,
                    0.22222211042266349, 0.28571428626542888, 0.39999999999898252,
                    0.66666666666666697))
template <class T>
struct Split {
  T m;
  T k;
};
/// x is positive.
template <class T>
AGPUSIM_MATH Split<T> split(T x) {
  constexpr int up = Format<T>::mantissa + 2;
  const bool is_small = x < power_of_two<T>(1 - Format<T>::bias);
  const Bits<T> whole = bits(is_small ? x * power_of_two<T>(up) : x);
  const Bits<T> least = bits(T(0.70710678118654752));
  const Bits<T> above = (whole - least) >> Format<T>::mantissa << Format<T>::mantissa;
  const int k = int(typename Format<T>::Signed(above) >> Format<T>::mantissa);
  return {number(whole - above), T(is_small ? k - up : k)};
}
/// log m is f - half + product, where f = m - 1 and half = f²/2.
template <class T>
struct LogParts {
  T f, half, product;
};
template <class T>
AGPUSIM_MATH LogParts<T> log_parts(T m) {
  const T f = m - 1;
  const T s = f / (2 + f);
  const T z = s * s;
  const T half = T(0.5) * f * f;
  return {f, half, s * fma(z, logarithm(z), half)};
}
/// Of 0, infinity and negative numbers, the value is not what the formulas give.
template <class T>
AGPUSIM_MATH T checked(T x, T value) {
  if (x > 0 && x < infinity<T>()) return value;
  return x == 0 ? -infinity<T>() : x > 0 ? x : T(__builtin_nan(""));
}
template <class T>
AGPUSIM_MATH T log(T x) {
  const Split<T> parts = split(x);
  const LogParts<T> p = log_parts(parts.m);
  const T small = p.half - fma(parts.k, Format<T>::ln2[1], p.product);
  return checked(x, fma(parts.k, Format<T>::ln2[0], p.f - small));
}
template <class T>
AGPUSIM_MATH T log2(T x) {
  const Split<T> parts = split(x);
  const LogParts<T> p = log_parts(parts.m);
  return checked(x, fma(p.f - (p.half - p.product), T(1.4426950408889634), parts.k));
}
template <class T>
AGPUSIM_MATH T log10(T x) {
  const Split<T> parts = split(x);
  const LogParts<T> p = log_parts(parts.m);
  const T of_m = (p.f - (p.half - p.product)) * T(0.4342944819032518);
  return checked(x, fma(parts.k, Format<T>::log10_2[0], fma(parts.k, Format<T>::log10_2[1], of_m)));
}
template <class T>
AGPUSIM_MATH T log1p(T x) {
  const T u = 1 + x;
  if (u == 1 || u == infinity<T>()) return x;
  // The sum has lost this.
  const T lost = x > 1 ? 1 - (u - x) : x - (u - 1);
  return log(u) + (u > 0 ? lost / u : 0);
}
template <class T>
AGPUSIM_MATH T asinh(T x) {
  const T a = fabs(x);
  const T z = a * a;
  const T value = a > power_of_two<T>(Format<T>::mantissa) ? log(a) + T(0.6931471805599453)
                                                           : log1p(a + z / (1 + sqrt(1 + z)));
  return x == 0 ? x : copysign(value, x);
}
template <class T>
AGPUSIM_MATH T acosh(T x) {
  const T t = x - 1;
  return x > power_of_two<T>(Format<T>::mantissa) ? log(x) + T(0.6931471805599453)
                                                  : log1p(t + sqrt(t + t + t * t));
}
template <class T>
AGPUSIM_MATH T atanh(T x) {
  const T a = fabs(x);
  return copysign(T(0.5) * log1p((a + a) / (1 - a)), x);
}

}  // namespace agpusim_math
