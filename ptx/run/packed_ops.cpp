#include <algorithm>
#include <bit>
#include <cmath>

#include "agpusim/ptx/run/functions.hpp"
#include "agpusim/ptx/run/rounding.hpp"

// Numbers side by side in one register: halves of integers, integers that are packed, and numbers
// of 8 bits.
namespace agpusim::ptx {
namespace {

/// .relu: not below 0.
template <class F>
struct Rectified {
  template <class T>
  static T of(T a, T b) {
    return std::max(F::of(a, b), T{0});
  }
};
/// F on each half of a register, as numbers of type T.
template <class F, class T>
struct Halves {
  static u32 of(u32 a, u32 b) {
    const T low = F::of(static_cast<T>(a), static_cast<T>(b));
    const T high = F::of(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
    return u32{static_cast<u16>(high)} << 16 | static_cast<u16>(low);
  }
};
template <class F, class T>
constexpr Execute halves = &each_lane<Halves<F, T>, u32, u32, u32>;

/// The bits of a above those of b, and c's above both.
template <int bits, bool is_signed>
struct Pack {
  static constexpr s32 least = is_signed ? -(1 << (bits - 1)) : 0;
  static constexpr s32 most = least + ((1 << bits) - 1);

  static u32 held(s32 value) {
    return static_cast<u32>(std::clamp(value, least, most)) & ((1U << bits) - 1);
  }
  static u32 of(s32 a, s32 b) { return held(a) << bits | held(b); }
  static u32 of(s32 a, s32 b, u32 c) { return c << 2 * bits | of(a, b); }
};
template <bool is_signed>
Execute choose_pack(const Spelling& spelling) {
  const std::string_view type = spelling.modifiers[2].substr(1);
  return type == "2"   ? &each_lane<Pack<2, is_signed>, u32, s32, s32, u32>
         : type == "4" ? &each_lane<Pack<4, is_signed>, u32, s32, s32, u32>
         : type == "8" ? &each_lane<Pack<8, is_signed>, u32, s32, s32, u32>
                       : &each_lane<Pack<16, is_signed>, u32, s32, s32>;
}

/// A number of 8 bits: a sign, an exponent, and `fraction` bits of it. That of 3 bits has no
/// infinity: its highest exponent is that of numbers, but for one which is none.
template <int fraction>
struct Float8 {
  static constexpr int bias = (64 >> fraction) - 1;
  static constexpr u32 most = fraction == 3 ? 0x7E : 0x7B;
  static constexpr u32 nan = 0x7F;

  /// The nearest one; the greatest one in place of what is greater.
  static u32 of(float value) {
    const auto bits = std::bit_cast<u32>(value);
    const u32 magnitude = bits & 0x7FFFFFFF;
    // Subnormal numbers are multiples of the last place of floats from `unit` on.
    constexpr auto unit = static_cast<float>(1 << (24 - bias - fraction));
    const u32 small = std::bit_cast<u32>(std::fabs(value) + unit) - std::bit_cast<u32>(unit);
    constexpr int lost = 23 - fraction;
    const u32 normal =
        (magnitude - ((127 - bias) << 23) + (1U << (lost - 1)) - 1 + (magnitude >> lost & 1)) >>
        lost;
    const u32 code = std::min(magnitude < (128U - bias) << 23 ? small : normal, most);
    return magnitude > 0x7F800000 ? nan : (bits >> 24 & 0x80) | code;
  }
  static F16 half(u32 code) {
    // An f16 with the same fraction: the bias of its exponent is 15.
    const u32 magnitude = code & 0x7F;
    const float value = widened(static_cast<F16>(magnitude << (10 - fraction)));
    const bool is_none = fraction == 3 && magnitude == nan;
    const float scaled = is_none ? canonical_nan<float> : value * (1 << (15 - bias));
    return half_of<F16>((code & 0x80) != 0 ? -scaled : scaled);
  }
};
/// Two of them: a above b.
template <int fraction, bool rectifies>
struct ToCodes {
  static u32 one(float value) { return Float8<fraction>::of(rectifies ? rectified(value) : value); }
  static u16 of(float a, float b) { return static_cast<u16>(one(a) << 8 | one(b)); }
  static u16 of(u32 halves) {
    return of(widened(static_cast<F16>(halves >> 16)), widened(static_cast<F16>(halves & 0xFFFF)));
  }
};
template <int fraction, bool rectifies>
struct FromCodes {
  static u32 one(u32 code) {
    const F16 half = Float8<fraction>::half(code);
    return static_cast<u16>(rectifies ? half_of<F16>(rectified(widened(half))) : half);
  }
  static u32 of(u16 codes) { return one(codes >> 8) << 16 | one(codes & 0xFF); }
};
template <template <int, bool> class F, class D, class... S>
Execute choose_codes(const Spelling& spelling) {
  const bool is_e4m3 = spelling.has("e4m3x2");
  return with_flag(spelling.has("relu"), [&]<bool rectifies>() -> Execute {
    return is_e4m3 ? &each_lane<F<3, rectifies>, D, S...> : &each_lane<F<2, rectifies>, D, S...>;
  });
}

constexpr auto arithmetic = Bill::arithmetic;
constexpr auto minimum = Op::minimum;
constexpr auto convert = Op::convert;
using LeastOrZero = Rectified<Minimum>;
using GreatestOrZero = Rectified<Maximum>;

// ptxas takes .relu behind the type, too: so the header of CUDA has it.
constexpr Opcode rows[] = {
    {"add", "u16x2|s16x2", "Uuu", arithmetic, Op::add, always<halves<Sum, u16>>},
    {"min", "u16x2", "Uuu", arithmetic, minimum, always<halves<Minimum, u16>>},
    {"min", "s16x2", "Uuu", arithmetic, minimum, always<halves<Minimum, s16>>},
    {"min", "relu s16x2", "Uuu", arithmetic, minimum, always<halves<LeastOrZero, s16>>},
    {"min", "s16x2 relu", "Uuu", arithmetic, minimum, always<halves<LeastOrZero, s16>>},
    {"min", "relu s32", "Dtt", arithmetic, minimum, binary<LeastOrZero, s32>},
    {"min", "s32 relu", "Dtt", arithmetic, minimum, binary<LeastOrZero, s32>},
    {"max", "u16x2", "Uuu", arithmetic, minimum, always<halves<Maximum, u16>>},
    {"max", "s16x2", "Uuu", arithmetic, minimum, always<halves<Maximum, s16>>},
    {"max", "relu s16x2", "Uuu", arithmetic, minimum, always<halves<GreatestOrZero, s16>>},
    {"max", "s16x2 relu", "Uuu", arithmetic, minimum, always<halves<GreatestOrZero, s16>>},
    {"max", "relu s32", "Dtt", arithmetic, minimum, binary<GreatestOrZero, s32>},
    {"max", "s32 relu", "Dtt", arithmetic, minimum, binary<GreatestOrZero, s32>},
    {"cvt", "pack sat u16 s32", "Uuu", arithmetic, convert, choose_pack<false>},
    {"cvt", "pack sat s16 s32", "Uuu", arithmetic, convert, choose_pack<true>},
    {"cvt", "pack sat u2|u4|u8 s32 b32", "Uuuu", arithmetic, convert, choose_pack<false>},
    {"cvt", "pack sat s2|s4|s8 s32 b32", "Uuuu", arithmetic, convert, choose_pack<true>},
    {"cvt", "rn satfinite relu? e4m3x2|e5m2x2 f32", "Dss", arithmetic, convert,
     choose_codes<ToCodes, u16, float, float>},
    {"cvt", "rn satfinite relu? e4m3x2|e5m2x2 f16x2", "Ds", arithmetic, convert,
     choose_codes<ToCodes, u16, u32>},
    {"cvt", "rn relu? f16x2 e4m3x2|e5m2x2", "Ds", arithmetic, convert,
     choose_codes<FromCodes, u32, u16>},
};

}  // namespace

std::span<const Opcode> packed_rows() { return rows; }

}  // namespace agpusim::ptx
