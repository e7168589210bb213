#pragma once

#include "attributes.h"

// The vector types and dim3 are aligned so that a load moves them whole.

/// X(name, type) stands for a type of elements.
#define AGPUSIM_ELEMENTS(X) \
  X(char, signed char)      \
  X(uchar, unsigned char)   \
  X(short, short)           \
  X(ushort, unsigned short) \
  X(int, int)               \
  X(uint, unsigned)         \
  X(long, long)             \
  X(ulong, unsigned long)   \
  X(longlong, long long)    \
  X(ulonglong, unsigned long long) X(float, float) X(double, double)

#define AGPUSIM_VECTORS(name, T)                                           \
  struct name##1 {                                                         \
    T x;                                                                   \
  };                                                                       \
  struct __align__(2 * sizeof(T)) name##2 {                                \
    T x, y;                                                                \
  };                                                                       \
  struct name##3 {                                                         \
    T x, y, z;                                                             \
  };                                                                       \
  struct __align__(sizeof(T) < 4 ? 4 * sizeof(T) : 16) name##4 {           \
    T x, y, z, w;                                                          \
  };                                                                       \
  AGPUSIM_BOTH name##1 make_##name##1(T x) { return {x}; }                 \
  AGPUSIM_BOTH name##2 make_##name##2(T x, T y) { return {x, y}; }         \
  AGPUSIM_BOTH name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  AGPUSIM_BOTH name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
AGPUSIM_ELEMENTS(AGPUSIM_VECTORS)

struct dim3 {
  unsigned x, y, z;
  AGPUSIM_BOTH_METHOD constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
  AGPUSIM_BOTH_METHOD constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  AGPUSIM_BOTH_METHOD constexpr operator uint3() const { return uint3{x, y, z}; }
};
