#pragma once

#include "cuda_runtime.h"

// The device computes numbers of 16 bits by instructions, the host through float.

struct __half_raw {
  unsigned short x;
};
struct __half;
AGPUSIM_BOTH float __half2float(__half h);
AGPUSIM_BOTH __half __float2half_rn(float x);
struct __align__(2) __half {
  unsigned short bits;

  __half() = default;
  AGPUSIM_BOTH_METHOD constexpr __half(__half_raw raw) : bits(raw.x) {}
  AGPUSIM_BOTH_METHOD operator __half_raw() const { return {bits}; }
  AGPUSIM_BOTH_METHOD operator float() const { return __half2float(*this); }
#define AGPUSIM_FROM(T)                                                              \
  AGPUSIM_BOTH_METHOD __half(T x) : bits(__half_raw(__float2half_rn(float(x))).x) {} \
  AGPUSIM_BOTH_METHOD __half& operator=(T x) { return *this = __half(x); }
  AGPUSIM_FROM(float)
  AGPUSIM_FROM(double)
  AGPUSIM_FROM(int)
  AGPUSIM_FROM(unsigned)
  AGPUSIM_FROM(long)
  AGPUSIM_FROM(unsigned long)
  AGPUSIM_FROM(long long)
  AGPUSIM_FROM(unsigned long long)
};
struct __align__(4) __half2 {
  __half x, y;

  __half2() = default;
  AGPUSIM_BOTH_METHOD constexpr __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half half;
typedef __half2 half2;

AGPUSIM_BOTH unsigned short __half_as_ushort(__half h) { return __half_raw(h).x; }
AGPUSIM_BOTH short __half_as_short(__half h) { return short(__half_raw(h).x); }
AGPUSIM_BOTH __half __ushort_as_half(unsigned short x) { return __half_raw{x}; }
AGPUSIM_BOTH __half __short_as_half(short x) { return __half_raw{(unsigned short)x}; }

#ifdef __CUDA_ARCH__
AGPUSIM_BOTH float __half2float(__half h) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h.bits));
  return x;
}
#define AGPUSIM_HALF_OF(T, name, text, letter)         \
  AGPUSIM_BOTH __half name(T x) {                      \
    unsigned short h;                                  \
    asm("cvt." text " %0, %1;" : "=h"(h) : letter(x)); \
    return __half_raw{h};                              \
  }
AGPUSIM_HALF_OF(float, __float2half_rn, "rn.f16.f32", "f")
AGPUSIM_HALF_OF(float, __float2half_rz, "rz.f16.f32", "f")
AGPUSIM_HALF_OF(float, __float2half_ru, "rp.f16.f32", "f")
AGPUSIM_HALF_OF(float, __float2half_rd, "rm.f16.f32", "f")
AGPUSIM_HALF_OF(double, __double2half, "rn.f16.f64", "d")
AGPUSIM_HALF_OF(int, __int2half_rn, "rn.f16.s32", "r")
AGPUSIM_HALF_OF(unsigned, __uint2half_rn, "rn.f16.u32", "r")
/// An instruction takes one number or two; the host computes `of_float`.
#define AGPUSIM_HALF_TWO(name, text, of_float)                                         \
  AGPUSIM_BOTH __half name(__half a, __half b) {                                       \
    unsigned short h;                                                                  \
    asm(text ".f16 %0, %1, %2;" : "=h"(h) : "h"(a.bits), "h"(b.bits));                 \
    return __half_raw{h};                                                              \
  }                                                                                    \
  AGPUSIM_BOTH __half2 name##2(__half2 a, __half2 b) {                                 \
    unsigned h;                                                                        \
    asm(text ".f16x2 %0, %1, %2;"                                                      \
        : "=r"(h)                                                                      \
        : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b))); \
    return __builtin_bit_cast(__half2, h);                                             \
  }
#define AGPUSIM_HALF_FMA(name, text)                                                    \
  AGPUSIM_BOTH __half name(__half a, __half b, __half c) {                              \
    unsigned short h;                                                                   \
    asm(text ".f16 %0, %1, %2, %3;" : "=h"(h) : "h"(a.bits), "h"(b.bits), "h"(c.bits)); \
    return __half_raw{h};                                                               \
  }                                                                                     \
  AGPUSIM_BOTH __half2 name##2(__half2 a, __half2 b, __half2 c) {                       \
    unsigned h;                                                                         \
    asm(text ".f16x2 %0, %1, %2, %3;"                                                   \
        : "=r"(h)                                                                       \
        : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)),   \
          "r"(__builtin_bit_cast(unsigned, c)));                                        \
    return __builtin_bit_cast(__half2, h);                                              \
  }
#else
AGPUSIM_BOTH float __half2float(__half h) {
  const unsigned size = h.bits & 0x7fffU;
  const unsigned sign = (h.bits & 0x8000U) << 16;
  // The exponent's bias grows by 112; infinities keep an exponent of ones.
  const float small = float(size) * 0x1p-24f;
  const unsigned bits = size >= 0x7c00 ? size << 13 | 0x7f800000U : (size << 13) + (112U << 23);
  return __builtin_bit_cast(float,
                            sign | (size < 0x400 ? __builtin_bit_cast(unsigned, small) : bits));
}
AGPUSIM_BOTH __half __float2half_rn(float x) {
  const unsigned whole = __builtin_bit_cast(unsigned, x);
  const float size = __builtin_fabsf(x);
  unsigned bits = 0x7e00;  // no number
  if (size < 0x1p-14f)
    bits = __builtin_bit_cast(unsigned, size + 0.5f) - 0x3f000000U;
  else if (size >= 65520.0f)
    bits = 0x7c00;
  else if (x == x)
    bits = ((whole & 0x7fffffffU) + 0xfffU + (whole >> 13 & 1) - (112U << 23)) >> 13;
  return __half_raw{(unsigned short)(bits | whole >> 16 & 0x8000U)};
}
AGPUSIM_BOTH __half __double2half(double x) { return __float2half_rn(float(x)); }
AGPUSIM_BOTH __half __int2half_rn(int x) { return __float2half_rn(float(x)); }
AGPUSIM_BOTH __half __uint2half_rn(unsigned x) { return __float2half_rn(float(x)); }
#define AGPUSIM_HALF_TWO(name, text, of_float)                                          \
  AGPUSIM_BOTH __half name(__half a, __half b) { return of_float(float(a), float(b)); } \
  AGPUSIM_BOTH __half2 name##2(__half2 a, __half2 b) {                                  \
    return {of_float(float(a.x), float(b.x)), of_float(float(a.y), float(b.y))};        \
  }
#define AGPUSIM_HALF_FMA(name, text)                                       \
  AGPUSIM_BOTH __half name(__half a, __half b, __half c) {                 \
    return __half(double(float(a)) * double(float(b)) + double(float(c))); \
  }                                                                        \
  AGPUSIM_BOTH __half2 name##2(__half2 a, __half2 b, __half2 c) {          \
    return {name(a.x, b.x, c.x), name(a.y, b.y, c.y)};                     \
  }
#endif
#define AGPUSIM_SUM(a, b) ((a) + (b))
#define AGPUSIM_DIFFERENCE(a, b) ((a) - (b))
#define AGPUSIM_PRODUCT(a, b) ((a) * (b))
AGPUSIM_HALF_TWO(__hadd, "add", AGPUSIM_SUM)
AGPUSIM_HALF_TWO(__hsub, "sub", AGPUSIM_DIFFERENCE)
AGPUSIM_HALF_TWO(__hmul, "mul", AGPUSIM_PRODUCT)
AGPUSIM_HALF_TWO(__hmin, "min", __builtin_fminf)
AGPUSIM_HALF_TWO(__hmax, "max", __builtin_fmaxf)
AGPUSIM_HALF_FMA(__hfma, "fma.rn")

AGPUSIM_BOTH __half __float2half(float x) { return __float2half_rn(x); }
AGPUSIM_BOTH __half __hdiv(__half a, __half b) { return float(a) / float(b); }
AGPUSIM_BOTH __half __hneg(__half a) { return __half_raw{(unsigned short)(a.bits ^ 0x8000)}; }
AGPUSIM_BOTH __half __habs(__half a) { return __half_raw{(unsigned short)(a.bits & 0x7fff)}; }
AGPUSIM_BOTH __half2 __h2div(__half2 a, __half2 b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
AGPUSIM_BOTH __half2 __hneg2(__half2 a) { return {__hneg(a.x), __hneg(a.y)}; }
AGPUSIM_BOTH __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }
AGPUSIM_BOTH bool __hisnan(__half a) { return (a.bits & 0x7fff) > 0x7c00; }
AGPUSIM_BOTH int __hisinf(__half a) {
  return (a.bits & 0x7fff) != 0x7c00 ? 0 : a.bits >> 15 ? -1 : 1;
}
#define AGPUSIM_HALF_COMPARISONS(X) X(eq, ==) X(ne, !=) X(lt, <) X(le, <=) X(gt, >) X(ge, >=)
#define AGPUSIM_HALF_COMPARE(name, op)                                               \
  AGPUSIM_BOTH bool __h##name(__half a, __half b) { return float(a) op float(b); }   \
  AGPUSIM_BOTH bool operator op(__half a, __half b) { return float(a) op float(b); } \
  AGPUSIM_BOTH __half2 __h##name##2(__half2 a, __half2 b) {                          \
    return {__half(float(__h##name(a.x, b.x))), __half(float(__h##name(a.y, b.y)))}; \
  }
AGPUSIM_HALF_COMPARISONS(AGPUSIM_HALF_COMPARE)
#define AGPUSIM_HALF_OPERATOR(T, op, function)                    \
  AGPUSIM_BOTH T operator op(T a, T b) { return function(a, b); } \
  AGPUSIM_BOTH T& operator op##=(T& a, T b) { return a = function(a, b); }
AGPUSIM_HALF_OPERATOR(__half, +, __hadd)
AGPUSIM_HALF_OPERATOR(__half, -, __hsub)
AGPUSIM_HALF_OPERATOR(__half, *, __hmul)
AGPUSIM_HALF_OPERATOR(__half, /, __hdiv)
AGPUSIM_HALF_OPERATOR(__half2, +, __hadd2)
AGPUSIM_HALF_OPERATOR(__half2, -, __hsub2)
AGPUSIM_HALF_OPERATOR(__half2, *, __hmul2)
AGPUSIM_HALF_OPERATOR(__half2, /, __h2div)
AGPUSIM_BOTH __half operator-(__half a) { return __hneg(a); }
AGPUSIM_BOTH __half2 operator-(__half2 a) { return __hneg2(a); }

AGPUSIM_BOTH __half2 make_half2(__half a, __half b) { return {a, b}; }
AGPUSIM_BOTH __half2 __halves2half2(__half a, __half b) { return {a, b}; }
AGPUSIM_BOTH __half2 __half2half2(__half a) { return {a, a}; }
AGPUSIM_BOTH __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
AGPUSIM_BOTH __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
AGPUSIM_BOTH __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
AGPUSIM_BOTH float2 __half22float2(__half2 a) { return {float(a.x), float(a.y)}; }
AGPUSIM_BOTH __half __low2half(__half2 a) { return a.x; }
AGPUSIM_BOTH __half __high2half(__half2 a) { return a.y; }
AGPUSIM_BOTH float __low2float(__half2 a) { return a.x; }
AGPUSIM_BOTH float __high2float(__half2 a) { return a.y; }
AGPUSIM_BOTH __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
AGPUSIM_BOTH __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
AGPUSIM_BOTH __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
AGPUSIM_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
AGPUSIM_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

#ifdef __CUDA__
#define AGPUSIM_FROM_HALF(r)                                                 \
  AGPUSIM_DEVICE int __half2int_##r(__half h) { return __float2int_##r(h); } \
  AGPUSIM_DEVICE unsigned __half2uint_##r(__half h) { return __float2uint_##r(h); }
AGPUSIM_FROM_HALF(rn)
AGPUSIM_FROM_HALF(rz)
AGPUSIM_FROM_HALF(ru)
AGPUSIM_FROM_HALF(rd)
AGPUSIM_DEVICE __half __hadd_sat(__half a, __half b) { return __saturatef(a + b); }
AGPUSIM_DEVICE __half __hmul_sat(__half a, __half b) { return __saturatef(a * b); }
// clang-format off
#define AGPUSIM_HALF_FUNCTIONS(X)                                                          \
  X(exp, expf) X(exp2, exp2f) X(exp10, exp10f) X(log, logf) X(log2, log2f)                 \
  X(log10, log10f) X(sin, sinf) X(cos, cosf) X(sqrt, sqrtf) X(rsqrt, rsqrtf) X(rcp, 1.0f /) \
  X(ceil, ceilf) X(floor, floorf) X(rint, rintf) X(trunc, truncf) X(tanh, tanhf)
// clang-format on
#define AGPUSIM_HALF_FUNCTION(name, of_float)                            \
  AGPUSIM_DEVICE __half h##name(__half a) { return of_float(float(a)); } \
  AGPUSIM_DEVICE __half2 h2##name(__half2 a) { return {h##name(a.x), h##name(a.y)}; }
AGPUSIM_HALF_FUNCTIONS(AGPUSIM_HALF_FUNCTION)
AGPUSIM_SHUFFLE(__half)
AGPUSIM_SHUFFLE(__half2)
AGPUSIM_DEVICE __half atomicAdd(__half* at, __half value) {
  unsigned short old;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
               : "=h"(old)
               : "l"(at), "h"(value.bits)
               : "memory");
  return __half_raw{old};
}
AGPUSIM_DEVICE __half2 atomicAdd(__half2* at, __half2 value) {
  unsigned old;
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
               : "=r"(old)
               : "l"(at), "r"(__builtin_bit_cast(unsigned, value))
               : "memory");
  return __builtin_bit_cast(__half2, old);
}
#endif
