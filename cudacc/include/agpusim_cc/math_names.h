#pragma once

// The device has these functions. They stand before the standard headers, whose templates and whose
// namespace std then call them on the device.
#include "attributes.h"
#include "math_circle.h"
#include "math_power.h"

/// X(name) stands for a function of one number.
// clang-format off
#define AGPUSIM_UNARY(X)                                                                      \
  X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh)      \
  X(atanh) X(exp) X(exp2) X(exp10) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sqrt) X(rsqrt) \
  X(cbrt) X(rcbrt) X(erf) X(erfc) X(normcdf) X(tgamma) X(lgamma) X(sinpi) X(cospi) X(fabs)    \
  X(floor) X(ceil) X(trunc) X(rint) X(nearbyint) X(round)
// clang-format on
/// X(name) stands for a function of two numbers.
#define AGPUSIM_BINARY(X) \
  X(pow) X(atan2) X(hypot) X(fmod) X(remainder) X(nextafter) X(fmin) X(fmax) X(copysign) X(fdim)

namespace agpusim_math {
template <class T>
AGPUSIM_MATH T nearbyint(T x) {
  return rint(x);
}
template <class T>
AGPUSIM_MATH T rsqrt(T x) {
  if constexpr (sizeof(T) == 4) return __nvvm_rsqrt_approx_f(x);
  return 1 / sqrt(x);
}
template <class T>
AGPUSIM_MATH T rcbrt(T x) {
  return 1 / cbrt(x);
}
template <class T>
AGPUSIM_MATH T fdim(T x, T y) {
  return x <= y ? T(0) : x - y;
}
template <class T>
AGPUSIM_MATH T modf(T x, T* whole) {
  *whole = trunc(x);
  return copysign(is_finite(x) ? x - *whole : T(0), x);
}
template <class T>
AGPUSIM_MATH int ilogb(T x) {
  int n = 0;
  frexp(x, &n);
  return x != x || x == 0 ? -2147483647 - 1 : is_finite(x) ? n - 1 : 2147483647;
}
#ifdef __USE_FAST_MATH__
// These are preferred to the templates.
AGPUSIM_MATH float sin(float x) { return __nvvm_sin_approx_f(x); }
AGPUSIM_MATH float cos(float x) { return __nvvm_cos_approx_f(x); }
AGPUSIM_MATH float tan(float x) { return sin(x) / cos(x); }
AGPUSIM_MATH float log2(float x) { return __nvvm_lg2_approx_f(x); }
AGPUSIM_MATH float log(float x) { return log2(x) * 0.6931471805599453F; }
AGPUSIM_MATH float log10(float x) { return log2(x) * 0.3010299956639812F; }
AGPUSIM_MATH float exp2(float x) { return __nvvm_ex2_approx_f(x); }
AGPUSIM_MATH float exp(float x) { return exp2(x * 1.4426950408889634F); }
AGPUSIM_MATH float exp10(float x) { return exp2(x * 3.321928094887362F); }
AGPUSIM_MATH float pow(float x, float y) { return exp2(y * log2(x)); }
#endif
template <class T>
struct Double;  // of an integer
#define AGPUSIM_DOUBLE(T) \
  template <>             \
  struct Double<T> {      \
    typedef double type;  \
  };
// clang-format off
AGPUSIM_DOUBLE(char) AGPUSIM_DOUBLE(signed char) AGPUSIM_DOUBLE(unsigned char)
AGPUSIM_DOUBLE(short) AGPUSIM_DOUBLE(unsigned short) AGPUSIM_DOUBLE(int) AGPUSIM_DOUBLE(unsigned)
AGPUSIM_DOUBLE(long) AGPUSIM_DOUBLE(unsigned long) AGPUSIM_DOUBLE(long long)
AGPUSIM_DOUBLE(unsigned long long)
// clang-format on
}  // namespace agpusim_math

#define AGPUSIM_NAMED(name)                                               \
  AGPUSIM_DEVICE double name(double x) { return agpusim_math::name(x); }  \
  AGPUSIM_DEVICE float name(float x) { return agpusim_math::name(x); }    \
  AGPUSIM_DEVICE float name##f(float x) { return agpusim_math::name(x); } \
  template <class T>                                                      \
  AGPUSIM_DEVICE typename agpusim_math::Double<T>::type name(T x) {       \
    return agpusim_math::name(double(x));                                 \
  }
AGPUSIM_UNARY(AGPUSIM_NAMED)
#define AGPUSIM_NAMED_2(name)                                                         \
  AGPUSIM_DEVICE double name(double x, double y) { return agpusim_math::name(x, y); } \
  AGPUSIM_DEVICE float name(float x, float y) { return agpusim_math::name(x, y); }    \
  AGPUSIM_DEVICE float name##f(float x, float y) { return agpusim_math::name(x, y); }
AGPUSIM_BINARY(AGPUSIM_NAMED_2)

/// These take more than numbers, or give an integer; `suffix` ends the names in C.
#define AGPUSIM_NAMED_3(T, suffix)                                                            \
  AGPUSIM_DEVICE T fma##suffix(T a, T b, T c) { return agpusim_math::fma(a, b, c); }          \
  AGPUSIM_DEVICE T ldexp##suffix(T x, int n) { return agpusim_math::ldexp(x, n); }            \
  AGPUSIM_DEVICE T scalbn##suffix(T x, int n) { return agpusim_math::ldexp(x, n); }           \
  AGPUSIM_DEVICE T frexp##suffix(T x, int* n) { return agpusim_math::frexp(x, n); }           \
  AGPUSIM_DEVICE T modf##suffix(T x, T* whole) { return agpusim_math::modf(x, whole); }       \
  AGPUSIM_DEVICE int ilogb##suffix(T x) { return agpusim_math::ilogb(x); }                    \
  AGPUSIM_DEVICE long lround##suffix(T x) { return long(agpusim_math::round(x)); }            \
  AGPUSIM_DEVICE long lrint##suffix(T x) { return long(agpusim_math::rint(x)); }              \
  AGPUSIM_DEVICE long long llround##suffix(T x) { return (long long)agpusim_math::round(x); } \
  AGPUSIM_DEVICE long long llrint##suffix(T x) { return (long long)agpusim_math::rint(x); }
AGPUSIM_NAMED_3(float, f)
AGPUSIM_NAMED_3(float, )
AGPUSIM_NAMED_3(double, )

#define AGPUSIM_BOTH_OF(T, suffix)                                                    \
  AGPUSIM_DEVICE void sincos##suffix(T x, T* sine, T* cosine) {                       \
    const agpusim_math::Angle<T> a = agpusim_math::reduce(x);                         \
    *sine = agpusim_math::sine_of(a, 0);                                              \
    *cosine = agpusim_math::sine_of(a, 1);                                            \
  }                                                                                   \
  AGPUSIM_DEVICE void sincospi##suffix(T x, T* sine, T* cosine) {                     \
    const agpusim_math::Angle<T> a = agpusim_math::reduce_pi(x);                      \
    *sine = agpusim_math::sine_of(a, 0);                                              \
    *cosine = agpusim_math::sine_of(a, 1);                                            \
  }                                                                                   \
  AGPUSIM_DEVICE T rhypot##suffix(T x, T y) { return 1 / agpusim_math::hypot(x, y); } \
  AGPUSIM_DEVICE T norm3d##suffix(T x, T y, T z) {                                    \
    return agpusim_math::hypot(agpusim_math::hypot(x, y), z);                         \
  }
AGPUSIM_BOTH_OF(float, f)
AGPUSIM_BOTH_OF(double, )
AGPUSIM_DEVICE int abs(int x) { return x < 0 ? -x : x; }
AGPUSIM_DEVICE long labs(long x) { return x < 0 ? -x : x; }
AGPUSIM_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }

namespace std {
#define AGPUSIM_USE(name) using ::name;
// clang-format off
AGPUSIM_UNARY(AGPUSIM_USE) AGPUSIM_BINARY(AGPUSIM_USE)
AGPUSIM_USE(fma) AGPUSIM_USE(ldexp) AGPUSIM_USE(scalbn) AGPUSIM_USE(frexp) AGPUSIM_USE(modf)
AGPUSIM_USE(ilogb) AGPUSIM_USE(lround) AGPUSIM_USE(lrint) AGPUSIM_USE(llround) AGPUSIM_USE(llrint)
AGPUSIM_USE(abs) AGPUSIM_USE(labs) AGPUSIM_USE(llabs)
// clang-format on
}  // namespace std
