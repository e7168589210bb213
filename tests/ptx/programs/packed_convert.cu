// Integers that are saturated and packed, and numbers of 8 bits: of every half, and of floats
// between neighbours.

#define PACKED_INTEGERS                                                                           \
  {                                                                                               \
    0, 1, -1, 2, -2, 3, 7, 8, -8, -9, 15, 16, 127, 128, 255, 32767, 32768, -32768, -32769, 65535, \
        65536, 2147483647, -2147483647 - 1                                                        \
  }
// The types, and the bits of a number.
#define PACKED_PACKS(three, two)                                                              \
  two("u16.s32", 16, false) two("s16.s32", 16, true) three("u8.s32.b32", 8, false)            \
      three("s8.s32.b32", 8, true) three("u4.s32.b32", 4, false) three("s4.s32.b32", 4, true) \
          three("u2.s32.b32", 2, false) three("s2.s32.b32", 2, true)
#define PACKED_FORMATS(each) each("e4m3x2", __NV_E4M3, 3) each("e5m2x2", __NV_E5M2, 2)

#ifndef HOST

#include <cuda_fp8.h>

/// The number of a code; one in the middle between it and the next, less, and more; any number.
__device__ float packed_float(int row, unsigned code, unsigned any,
                              __nv_fp8_interpretation_t format) {
  if (row == 4) return __uint_as_float(any);
  if (row == 5) return __uint_as_float((any & 0x8FFFFFFF) + 0x38000000);
  const float number = __half2float(__nv_cvt_fp8_to_halfraw(code, format));
  const float next = __half2float(__nv_cvt_fp8_to_halfraw(code + 1, format));
  const float middle = (number + next) / 2;
  if (row == 0 || middle != middle) return number;
  return __uint_as_float(__float_as_uint(middle) + row - 2);
}

// run: grid=1 block=256 shared=0 args=in:u32:768:random,out:u32:71680:zeros
extern "C" __global__ void packed_convert(const unsigned* in, unsigned* out) {
  const int number[] = PACKED_INTEGERS;
  const unsigned t = threadIdx.x;
  const int a = t % 3 == 0 ? in[t] : number[t % 23],
            b = t % 5 == 0 ? in[256 + t] : number[t / 11 % 23];
  const unsigned c = in[512 + t];
  unsigned* to = out + t;
  const auto put = [&](unsigned value) {
    *to = value;
    to += 256;
  };
  unsigned result;
  unsigned short plain, rectified;
#define PACKED_PACK_TWO(types, bits, is_signed)                              \
  asm("cvt.pack.sat." types " %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b)); \
  put(result);
#define PACKED_PACK_THREE(types, bits, is_signed)                                        \
  asm("cvt.pack.sat." types " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c)); \
  put(result);
  PACKED_PACKS(PACKED_PACK_THREE, PACKED_PACK_TWO)
#define PACKED_FLOAT8(name, format, fraction)                                                 \
  const unsigned short codes_##format = t | (255 - t) << 8;                                   \
  asm("cvt.rn.f16x2." name " %0, %1;" : "=r"(result) : "h"(codes_##format));                  \
  put(result);                                                                                \
  asm("cvt.rn.relu.f16x2." name " %0, %1;" : "=r"(result) : "h"(codes_##format));             \
  put(result);                                                                                \
  for (int row = 0; row < 6; ++row) {                                                         \
    const float x = packed_float(row, t, in[t], format);                                      \
    const float y = packed_float(row, 255 - t, in[256 + t], format);                          \
    plain = __nv_cvt_float2_to_fp8x2(make_float2(y, x), __NV_SATFINITE, format);              \
    asm("cvt.rn.satfinite.relu." name ".f32 %0, %1, %2;" : "=h"(rectified) : "f"(x), "f"(y)); \
    put(plain | rectified << 16);                                                             \
  }                                                                                           \
  for (unsigned k = 0; k < 128; ++k) {                                                        \
    const unsigned halves = (t << 8 | 2 * k) * 0x10001 + 0x10000;                             \
    asm("cvt.rn.satfinite." name ".f16x2 %0, %1;" : "=h"(plain) : "r"(halves));               \
    asm("cvt.rn.satfinite.relu." name ".f16x2 %0, %1;" : "=h"(rectified) : "r"(halves));      \
    put(plain | rectified << 16);                                                             \
  }
  PACKED_FORMATS(PACKED_FLOAT8)
}

#else

#include <bit>

/// The number of a code with so many bits of exponent and fraction, as IEEE 754 has it.
double packed_number(unsigned code, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1, highest = (1 << exponent_bits) - 1;
  const int exponent = static_cast<int>(code >> fraction_bits) & highest;
  const int fraction = static_cast<int>(code) & ((1 << fraction_bits) - 1);
  const bool is_negative = (code >> (exponent_bits + fraction_bits) & 1) != 0;
  double number =
      exponent == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                    : std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  if (exponent == highest) number = fraction == 0 ? INFINITY : NAN;
  return is_negative ? -number : number;
}
/// As the OCP has it: E4M3 has no infinity, and one code that is no number.
double packed_float8(unsigned code, int fraction) {
  if (fraction == 2) return packed_number(code, 5, 2);
  const double number = (code & 0x7F) == 0x7F   ? NAN
                        : (code & 0x78) == 0x78 ? std::ldexp(8 + (code & 7), 5)
                                                : packed_number(code & 0x7F, 4, 3);
  return (code & 0x80) != 0 ? -number : number;
}
/// The code of the nearest number, the even one of two, the greatest one in place of greater ones.
std::uint32_t packed_code(double number, int fraction, bool rectifies) {
  if (std::isnan(number)) return 0x7F;
  if (rectifies && number <= 0) return 0;
  const double size = std::min(std::fabs(number), 1e9);
  std::uint32_t nearest = 0;
  double distance = size;
  for (std::uint32_t code = 1; code < (fraction == 3 ? 0x7FU : 0x7CU); ++code) {
    const double other = std::fabs(packed_float8(code, fraction) - size);
    if (other < distance || (other == distance && code % 2 == 0)) {
      nearest = code;
      distance = other;
    }
  }
  return nearest | (std::signbit(number) ? 0x80 : 0);
}
std::uint32_t packed_codes(double above, double below, int fraction) {
  return packed_code(above, fraction, false) << 8 | packed_code(below, fraction, false) |
         packed_code(above, fraction, true) << 24 | packed_code(below, fraction, true) << 16;
}
/// The half of a number that has one.
std::uint32_t packed_half(double number, bool rectifies) {
  if (std::isnan(number)) return 0x7FFF;
  if (rectifies && number <= 0) return 0;
  for (std::uint32_t code = 0; code < 0x7C01; ++code) {
    if (packed_number(code, 5, 10) == std::fabs(number))
      return code | (std::signbit(number) ? 0x8000 : 0);
  }
  return 0xDEAD;
}
double packed_input(int row, unsigned code, unsigned any, int fraction) {
  if (row == 4) return std::bit_cast<float>(any);
  if (row == 5) return std::bit_cast<float>((any & 0x8FFFFFFF) + 0x38000000);
  const double number = packed_float8(code & 0xFF, fraction);
  const auto middle = static_cast<float>((number + packed_float8(code + 1 & 0xFF, fraction)) / 2);
  if (row == 0 || std::isnan(middle)) return number;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(middle) + row - 2);
}
std::uint32_t packed_held(std::int64_t value, int bits, bool is_signed) {
  const std::int64_t count = std::int64_t{1} << bits, least = is_signed ? -count / 2 : 0;
  return static_cast<std::uint32_t>((std::min(std::max(value, least), least + count - 1) + count) %
                                    count);
}

void packed_convert_reference(const std::uint32_t* in, std::uint32_t* out) {
  const int number[] = PACKED_INTEGERS;
  for (unsigned t = 0; t < 256; ++t) {
    const auto a = static_cast<std::int32_t>(t % 3 == 0 ? in[t] : number[t % 23]);
    const auto b = static_cast<std::int32_t>(t % 5 == 0 ? in[256 + t] : number[t / 11 % 23]);
    const std::uint64_t c = in[512 + t];
    auto* to = out + t;
    const auto put = [&](std::uint64_t value) {
      *to = static_cast<std::uint32_t>(value);
      to += 256;
    };
#define PACKED_TWO_OF(types, bits, is_signed) \
  put(packed_held(a, bits, is_signed) << bits | packed_held(b, bits, is_signed));
#define PACKED_THREE_OF(types, bits, is_signed)                           \
  put(c*(1 << 2 * bits) + packed_held(a, bits, is_signed) * (1 << bits) + \
      packed_held(b, bits, is_signed));
    PACKED_PACKS(PACKED_THREE_OF, PACKED_TWO_OF)
    for (const int fraction : {3, 2}) {
      const double low = packed_float8(t, fraction), high = packed_float8(255 - t, fraction);
      put(packed_half(high, false) << 16 | packed_half(low, false));
      put(packed_half(high, true) << 16 | packed_half(low, true));
      for (int row = 0; row < 6; ++row) {
        put(packed_codes(packed_input(row, t, in[t], fraction),
                         packed_input(row, 255 - t, in[256 + t], fraction), fraction));
      }
      for (unsigned code = t << 8; code < (t + 1) << 8; code += 2) {
        put(packed_codes(packed_number(code + 1, 5, 10), packed_number(code, 5, 10), fraction));
      }
    }
  }
}

#endif
