#pragma once

// These functions are one instruction of PTX or a few.

#define AGPUSIM_ASM1(R, name, A, text, r, a)     \
  AGPUSIM_DEVICE R name(A x) {                   \
    R result;                                    \
    asm(text " %0, %1;" : "=" r(result) : a(x)); \
    return result;                               \
  }
#define AGPUSIM_ASM2(T, name, text, t)                     \
  AGPUSIM_DEVICE T name(T x, T y) {                        \
    T result;                                              \
    asm(text " %0, %1, %2;" : "=" t(result) : t(x), t(y)); \
    return result;                                         \
  }
#define AGPUSIM_ASM3(R, name, A, B, C, text, t)                      \
  AGPUSIM_DEVICE R name(A x, B y, C z) {                             \
    R result;                                                        \
    asm(text " %0, %1, %2, %3;" : "=" t(result) : t(x), t(y), t(z)); \
    return result;                                                   \
  }

// --- arithmetic with a rounding

#define AGPUSIM_ROUNDED(r, in_ptx)                                                    \
  AGPUSIM_ASM2(float, __fadd_##r, "add." in_ptx ".f32", "f")                          \
  AGPUSIM_ASM2(float, __fsub_##r, "sub." in_ptx ".f32", "f")                          \
  AGPUSIM_ASM2(float, __fmul_##r, "mul." in_ptx ".f32", "f")                          \
  AGPUSIM_ASM2(float, __fdiv_##r, "div." in_ptx ".f32", "f")                          \
  AGPUSIM_ASM1(float, __frcp_##r, float, "rcp." in_ptx ".f32", "f", "f")              \
  AGPUSIM_ASM1(float, __fsqrt_##r, float, "sqrt." in_ptx ".f32", "f", "f")            \
  AGPUSIM_ASM3(float, __fmaf_##r, float, float, float, "fma." in_ptx ".f32", "f")     \
  AGPUSIM_ASM2(double, __dadd_##r, "add." in_ptx ".f64", "d")                         \
  AGPUSIM_ASM2(double, __dsub_##r, "sub." in_ptx ".f64", "d")                         \
  AGPUSIM_ASM2(double, __dmul_##r, "mul." in_ptx ".f64", "d")                         \
  AGPUSIM_ASM2(double, __ddiv_##r, "div." in_ptx ".f64", "d")                         \
  AGPUSIM_ASM1(double, __drcp_##r, double, "rcp." in_ptx ".f64", "d", "d")            \
  AGPUSIM_ASM1(double, __dsqrt_##r, double, "sqrt." in_ptx ".f64", "d", "d")          \
  AGPUSIM_ASM3(double, __fma_##r, double, double, double, "fma." in_ptx ".f64", "d")  \
  AGPUSIM_ASM1(float, __double2float_##r, double, "cvt." in_ptx ".f32.f64", "f", "d") \
  AGPUSIM_TO_FLOATS(r, in_ptx, int, int, "s32", "r")                                  \
  AGPUSIM_TO_FLOATS(r, in_ptx, uint, unsigned, "u32", "r")                            \
  AGPUSIM_TO_FLOATS(r, in_ptx, ll, long long, "s64", "l")                             \
  AGPUSIM_TO_FLOATS(r, in_ptx, ull, unsigned long long, "u64", "l")
#define AGPUSIM_TO_FLOATS(r, in_ptx, name, I, type, letter)                                 \
  AGPUSIM_ASM1(float, __##name##2float_##r, I, "cvt." in_ptx ".f32." type, "f", letter)     \
  AGPUSIM_ASM1(double, __##name##2double_##r, I, "cvt." in_ptx ".f64." type, "d", letter)   \
  AGPUSIM_ASM1(I, __float2##name##_##r, float, "cvt." in_ptx "i." type ".f32", letter, "f") \
  AGPUSIM_ASM1(I, __double2##name##_##r, double, "cvt." in_ptx "i." type ".f64", letter, "d")
AGPUSIM_ROUNDED(rn, "rn")
AGPUSIM_ROUNDED(rz, "rz")
AGPUSIM_ROUNDED(ru, "rp")
AGPUSIM_ROUNDED(rd, "rm")

// --- approximations

#define AGPUSIM_APPROXIMATE(name, text) \
  AGPUSIM_ASM1(float, name, float, text ".approx.f32", "f", "f")
AGPUSIM_APPROXIMATE(__sinf, "sin")
AGPUSIM_APPROXIMATE(__cosf, "cos")
AGPUSIM_APPROXIMATE(__log2f, "lg2")
AGPUSIM_APPROXIMATE(__exp2f, "ex2")
AGPUSIM_APPROXIMATE(__frsqrt_rn, "rsqrt")
AGPUSIM_ASM1(float, __tanhf, float, "tanh.approx.f32", "f", "f")
AGPUSIM_ASM2(float, __fdividef, "div.approx.f32", "f")
AGPUSIM_DEVICE float fdividef(float x, float y) { return x / y; }
AGPUSIM_DEVICE float __expf(float x) { return __exp2f(x * 1.4426950408889634f); }
AGPUSIM_DEVICE float __exp10f(float x) { return __exp2f(x * 3.3219280948873623f); }
AGPUSIM_DEVICE float __logf(float x) { return __log2f(x) * 0.6931471805599453f; }
AGPUSIM_DEVICE float __log10f(float x) { return __log2f(x) * 0.3010299956639812f; }
AGPUSIM_DEVICE float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
AGPUSIM_DEVICE float __powf(float x, float y) { return __exp2f(y * __log2f(x)); }
AGPUSIM_DEVICE void __sincosf(float x, float* sine, float* cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
AGPUSIM_DEVICE float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

// --- bits

#define AGPUSIM_BITS_AS(name, R, A) \
  AGPUSIM_DEVICE R name(A x) { return __builtin_bit_cast(R, x); }
AGPUSIM_BITS_AS(__float_as_int, int, float)
AGPUSIM_BITS_AS(__float_as_uint, unsigned, float)
AGPUSIM_BITS_AS(__int_as_float, float, int)
AGPUSIM_BITS_AS(__uint_as_float, float, unsigned)
AGPUSIM_BITS_AS(__double_as_longlong, long long, double)
AGPUSIM_BITS_AS(__longlong_as_double, double, long long)
AGPUSIM_DEVICE int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
AGPUSIM_DEVICE int __double2loint(double x) { return int(__double_as_longlong(x)); }
AGPUSIM_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double(
      (long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}
AGPUSIM_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
AGPUSIM_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
AGPUSIM_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
AGPUSIM_DEVICE int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
AGPUSIM_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
AGPUSIM_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
AGPUSIM_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
AGPUSIM_DEVICE unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
AGPUSIM_ASM3(unsigned, __byte_perm, unsigned, unsigned, unsigned, "prmt.b32", "r")
AGPUSIM_ASM3(unsigned, __funnelshift_l, unsigned, unsigned, unsigned, "shf.l.wrap.b32", "r")
AGPUSIM_ASM3(unsigned, __funnelshift_r, unsigned, unsigned, unsigned, "shf.r.wrap.b32", "r")
AGPUSIM_ASM3(unsigned, __funnelshift_lc, unsigned, unsigned, unsigned, "shf.l.clamp.b32", "r")
AGPUSIM_ASM3(unsigned, __funnelshift_rc, unsigned, unsigned, unsigned, "shf.r.clamp.b32", "r")

// --- whole numbers

#define AGPUSIM_INTEGERS(X) \
  X(int) X(unsigned) X(long) X(unsigned long) X(long long) X(unsigned long long)

AGPUSIM_ASM2(int, __mul24, "mul24.lo.s32", "r")
AGPUSIM_ASM2(unsigned, __umul24, "mul24.lo.u32", "r")
AGPUSIM_ASM2(int, __mulhi, "mul.hi.s32", "r")
AGPUSIM_ASM2(unsigned, __umulhi, "mul.hi.u32", "r")
AGPUSIM_ASM2(long long, __mul64hi, "mul.hi.s64", "l")
AGPUSIM_ASM2(unsigned long long, __umul64hi, "mul.hi.u64", "l")
AGPUSIM_ASM3(unsigned, __sad, int, int, unsigned, "sad.s32", "r")
AGPUSIM_ASM3(unsigned, __usad, unsigned, unsigned, unsigned, "sad.u32", "r")
AGPUSIM_ASM3(int, __dp4a, int, int, int, "dp4a.s32.s32", "r")
AGPUSIM_ASM3(unsigned, __dp4a, unsigned, unsigned, unsigned, "dp4a.u32.u32", "r")
AGPUSIM_ASM3(int, __dp2a_lo, int, int, int, "dp2a.lo.s32.s32", "r")
AGPUSIM_ASM3(int, __dp2a_hi, int, int, int, "dp2a.hi.s32.s32", "r")
AGPUSIM_DEVICE int __hadd(int x, int y) { return int(((long long)x + y) >> 1); }
AGPUSIM_DEVICE int __rhadd(int x, int y) { return int(((long long)x + y + 1) >> 1); }
AGPUSIM_DEVICE unsigned __uhadd(unsigned x, unsigned y) { return (x & y) + ((x ^ y) >> 1); }

/// Both sides have min and max.
#define AGPUSIM_COMPARED(T)                              \
  AGPUSIM_BOTH T min(T x, T y) { return y < x ? y : x; } \
  AGPUSIM_BOTH T max(T x, T y) { return x < y ? y : x; }
AGPUSIM_INTEGERS(AGPUSIM_COMPARED)
#define AGPUSIM_MIXED(R, A, B)                                       \
  AGPUSIM_BOTH R min(A x, B y) { return R(y) < R(x) ? R(y) : R(x); } \
  AGPUSIM_BOTH R max(A x, B y) { return R(x) < R(y) ? R(y) : R(x); }
AGPUSIM_MIXED(unsigned, int, unsigned)
AGPUSIM_MIXED(unsigned, unsigned, int)
AGPUSIM_MIXED(double, float, double)
AGPUSIM_MIXED(double, double, float)
AGPUSIM_BOTH float min(float x, float y) { return __builtin_fminf(x, y); }
AGPUSIM_BOTH float max(float x, float y) { return __builtin_fmaxf(x, y); }
AGPUSIM_BOTH double min(double x, double y) { return __builtin_fmin(x, y); }
AGPUSIM_BOTH double max(double x, double y) { return __builtin_fmax(x, y); }

// --- loads and stores with a cache operator

/// `changes`: volatile where others may write the memory.
#define AGPUSIM_LOAD(name, operators, changes)                                \
  template <class T>                                                          \
  AGPUSIM_DEVICE T name(const T* at) {                                        \
    union {                                                                   \
      T value;                                                                \
      unsigned w[4];                                                          \
      unsigned long long d[2];                                                \
    } u;                                                                      \
    if constexpr (sizeof(T) == 16 && alignof(T) == 16) {                      \
      if constexpr (alignof(decltype(T::x)) == 8)                             \
        asm changes("ld." operators ".v2.u64 {%0, %1}, [%2];"                 \
                    : "=l"(u.d[0]), "=l"(u.d[1])                              \
                    : "l"(at));                                               \
      else                                                                    \
        asm changes("ld." operators ".v4.u32 {%0, %1, %2, %3}, [%4];"         \
                    : "=r"(u.w[0]), "=r"(u.w[1]), "=r"(u.w[2]), "=r"(u.w[3])  \
                    : "l"(at));                                               \
    } else if constexpr (sizeof(T) == 8) {                                    \
      asm changes("ld." operators ".u64 %0, [%1];" : "=l"(u.d[0]) : "l"(at)); \
    } else if constexpr (sizeof(T) == 4) {                                    \
      asm changes("ld." operators ".u32 %0, [%1];" : "=r"(u.w[0]) : "l"(at)); \
    } else if constexpr (sizeof(T) == 2) {                                    \
      asm changes("ld." operators ".u16 %0, [%1];" : "=r"(u.w[0]) : "l"(at)); \
    } else {                                                                  \
      static_assert(sizeof(T) == 1, "a type of 1, 2, 4, 8 or 16 bytes");      \
      asm changes("ld." operators ".u8 %0, [%1];" : "=r"(u.w[0]) : "l"(at));  \
    }                                                                         \
    return u.value;                                                           \
  }
AGPUSIM_LOAD(__ldg, "global.nc", )
AGPUSIM_LOAD(__ldca, "global.ca", volatile)
AGPUSIM_LOAD(__ldcg, "global.cg", volatile)
AGPUSIM_LOAD(__ldcs, "global.cs", volatile)
AGPUSIM_LOAD(__ldlu, "global.lu", volatile)
AGPUSIM_LOAD(__ldcv, "global.cv", volatile)
#define AGPUSIM_STORE(name)                  \
  template <class T>                         \
  AGPUSIM_DEVICE void name(T* at, T value) { \
    *at = value;                             \
  }
AGPUSIM_STORE(__stwb)
AGPUSIM_STORE(__stcg)
AGPUSIM_STORE(__stcs)
AGPUSIM_STORE(__stwt)
