#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "agpusim/ptx/lower/opcodes.hpp"

// Formats of floating-point numbers, and arithmetic that rounds once in each of PTX's directions.
// No rounding mode of the host is changed: WebAssembly has none, and compilers assume the default.
namespace agpusim::ptx {

enum class Round { nearest, zero, down, up, odd };

/// A number of type .f16 or .bf16: its bits.
enum class F16 : std::uint16_t {};
enum class BF16 : std::uint16_t {};

template <class T>
struct Format;
template <>
struct Format<F16> {
  using Bits = std::uint16_t;
  static constexpr int fraction = 10;  ///< bits of it
  static constexpr Bits nan = 0x7FFF;  ///< the one that operations return
};
template <>
struct Format<BF16> {
  using Bits = std::uint16_t;
  static constexpr int fraction = 7;
  static constexpr Bits nan = 0x7FFF;
};
template <>
struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr int fraction = 23;
  static constexpr Bits nan = 0x7FFFFFFF;
};
template <>
struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr int fraction = 52;
  static constexpr Bits nan = 0xFFF8000000000000;
};
template <class T>
inline constexpr T canonical_nan = std::bit_cast<T>(Format<T>::nan);
template <class T>
inline constexpr typename Format<T>::Bits sign_bit =
    static_cast<typename Format<T>::Bits>(std::uint64_t{1} << (8 * sizeof(T) - 1));

template <class T>
T or_canonical_nan(T value) {
  return value == value ? value : canonical_nan<T>;
}
/// .ftz: a subnormal number is a zero of its sign.
template <class T>
T flushed(T value) {
  const auto bits = std::bit_cast<typename Format<T>::Bits>(value);
  constexpr std::uint64_t exponent = std::uint64_t{sign_bit<T>} - (1ULL << Format<T>::fraction);
  return (bits & exponent) != 0
             ? value
             : std::bit_cast<T>(static_cast<typename Format<T>::Bits>(bits & sign_bit<T>));
}
/// .sat: within [0, 1], and 0 for no number.
template <class T>
T saturated(T value) {
  const T low = value > 0 ? value : T{0};
  return low < 1 ? low : T{1};
}
/// .relu: not below 0; what is no number stays so.
inline float rectified(float value) { return value < 0 || value == 0 ? 0 : value; }

/// min and max. +0 is greater than -0. With `keeps_nan` one operand that is no number makes the
/// result none. With `signs` magnitudes are compared, and signs multiplied.
template <bool greatest, bool keeps_nan, bool signs>
struct Extremum {
  template <Round, class T>
  static T of(T a, T b) {
    using Bits = typename Format<T>::Bits;
    const auto sign = static_cast<Bits>((std::bit_cast<Bits>(a) ^ std::bit_cast<Bits>(b)) &
                                        (signs ? sign_bit<T> : 0));
    if (signs) {
      a = std::fabs(a);
      b = std::fabs(b);
    }
    const Bits same = greatest ? std::bit_cast<Bits>(a) & std::bit_cast<Bits>(b)
                               : std::bit_cast<Bits>(a) | std::bit_cast<Bits>(b);
    T result = (greatest ? a > b : a < b) ? a : b;
    result = a == b ? std::bit_cast<T>(same) : result;
    result = a != a ? b : b != b ? a : result;
    if (keeps_nan) result = a != a || b != b ? canonical_nan<T> : result;
    return result != result
               ? canonical_nan<T>
               : std::bit_cast<T>(static_cast<Bits>(std::bit_cast<Bits>(result) | sign));
  }
};

// --- to odd: cut off, with the last bit set where anything was lost. What is rounded to odd with
// two bits more than the result has can be rounded again as if it were exact.

/// a + b rounded to odd; an exact 0 has the sign that `round` gives it.
template <Round round>
double odd_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  // Towards what was lost, unless the last bit is set already.
  const std::uint64_t step = 1 - 2 * ((std::bit_cast<std::uint64_t>(error) ^ bits) >> 63);
  const bool moves = std::fabs(error) > 0 && (bits & 1) == 0;
  const double result = std::bit_cast<double>(bits + (moves ? step : 0));
  if constexpr (round != Round::down) return result;
  const auto signs = std::bit_cast<std::uint64_t>(a) | std::bit_cast<std::uint64_t>(b);
  return sum == 0 && signs >> 63 != 0 ? -0.0 : result;
}

template <Round round>
float to_float(double value) {
  const auto near = static_cast<float>(value);
  if (round == Round::nearest) return near;
  const double back = near;
  auto bits = std::bit_cast<std::uint32_t>(near);
  const bool is_past = round == Round::down ? back > value
                       : round == Round::up ? back < value
                                            : std::fabs(back) > std::fabs(value);
  const std::uint32_t up = 1 - 2 * (bits >> 31);
  const std::uint32_t step = round == Round::down ? 0 - up : round == Round::up ? up : ~0U;
  bits += is_past ? step : 0;
  // Nothing is lost of infinite numbers, nor of what is none.
  if (round == Round::odd) bits |= back < value || back > value ? 1 : 0;
  return std::bit_cast<float>(bits);
}

inline float widened(F16 half) {
  const std::uint32_t bits = static_cast<std::uint16_t>(half);
  const std::uint32_t magnitude = (bits & 0x7FFF) << 13;
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112F;
  const std::uint32_t special = magnitude >= 0x7C00 << 13 ? 0x7F800000 : 0;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special |
                              (bits & 0x8000) << 16);
}
inline float widened(BF16 half) {
  return std::bit_cast<float>(std::uint32_t{static_cast<std::uint16_t>(half)} << 16);
}

/// To the nearest one.
template <class H>
H half_of(float value);
template <>
inline F16 half_of<F16>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7FFFFFFF;
  // Subnormal numbers are multiples of 2^-24, as floats from 0.5 to 1 are.
  const std::uint32_t small =
      std::bit_cast<std::uint32_t>(std::fabs(value) + 0.5F) - std::bit_cast<std::uint32_t>(0.5F);
  const std::uint32_t normal = (magnitude - 0x38000000 + 0xFFF + (magnitude >> 13 & 1)) >> 13;
  std::uint32_t half = magnitude < 0x38800000 ? small : normal;
  if (magnitude >= 0x47800000) half = 0x7C00;
  half |= bits >> 16 & 0x8000;
  return static_cast<F16>(magnitude > 0x7F800000 ? Format<F16>::nan : half);
}
template <>
inline BF16 half_of<BF16>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t half = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
  return static_cast<BF16>((bits & 0x7FFFFFFF) > 0x7F800000 ? Format<BF16>::nan : half);
}

// --- exact numbers

__extension__ using Wide128 = unsigned __int128;

/// A number of any format, or a result before it is rounded.
struct Exact {
  enum class Kind : std::uint8_t { finite, infinite, nan };
  Kind kind = Kind::finite;
  bool negative = false;
  int exponent = 0;       ///< exponent of bit 0 of the magnitude
  Wide128 magnitude = 0;  ///< bit 0 is set too where bits below it were lost
};

template <class T>
Exact exact(T value) {
  Exact result;
  if constexpr (std::is_integral_v<T>) {
    result.negative = value < 0;
    const auto bits = static_cast<std::uint64_t>(value);
    result.magnitude = result.negative ? 0 - bits : bits;
  } else {
    constexpr int fraction = Format<T>::fraction;
    constexpr int highest = (1 << (8 * static_cast<int>(sizeof(T)) - 1 - fraction)) - 1;
    const std::uint64_t bits = std::bit_cast<typename Format<T>::Bits>(value);
    const int biased = static_cast<int>(bits >> fraction) & highest;
    const std::uint64_t below = bits & ((std::uint64_t{1} << fraction) - 1);
    result.negative = (bits & sign_bit<T>) != 0;
    if (biased == highest) {
      result.kind = below == 0 ? Exact::Kind::infinite : Exact::Kind::nan;
    }
    result.magnitude = biased == 0 ? below : below | std::uint64_t{1} << fraction;
    result.exponent = (biased == 0 ? 1 : biased) - highest / 2 - fraction;
  }
  return result;
}

/// Significant bits.
int width_of(Wide128 value);
/// Rounds to a multiple of 2^exponent, unless it is one.
void round_to(Exact& number, int exponent, Round round);
/// Exact results of finite numbers; a divisor or radicand is positive.
Exact product(const Exact& a, const Exact& b);
Exact sum(const Exact& a, const Exact& b, Round round);
Exact quotient(const Exact& a, const Exact& b);
Exact root(const Exact& a);

template <class T>
T rounded(Exact number, Round round) {
  using Bits = typename Format<T>::Bits;
  constexpr int fraction = Format<T>::fraction;
  constexpr int highest = (1 << (8 * static_cast<int>(sizeof(T)) - 1 - fraction)) - 1;
  constexpr auto infinity = static_cast<std::uint64_t>(highest) << fraction;
  if (number.kind == Exact::Kind::nan) return canonical_nan<T>;
  std::uint64_t bits = infinity;
  if (number.kind == Exact::Kind::finite && number.magnitude == 0) {
    bits = 0;
  } else if (number.kind == Exact::Kind::finite) {
    const int top = number.exponent + width_of(number.magnitude) - 1;
    const int biased = top + highest / 2 < 1 ? 1 : top + highest / 2;
    if (biased < highest) {
      const int exponent = biased - highest / 2 - fraction;
      round_to(number, exponent, round);
      const auto whole = static_cast<std::uint64_t>(number.magnitude)
                         << (number.exponent - exponent);
      // The leading bit of a normal number adds 1 to its exponent.
      bits = (static_cast<std::uint64_t>(biased - 1) << fraction) + whole;
    } else if (round == Round::zero || round == (number.negative ? Round::up : Round::down)) {
      bits = infinity - 1;
    }
  }
  return std::bit_cast<T>(static_cast<Bits>(bits | (number.negative ? sign_bit<T> : 0)));
}

/// The rounding that a spelling names, of floating-point numbers or of integers.
inline Round round_of(const Spelling& spelling) {
  if (spelling.has("rz") || spelling.has("rzi")) return Round::zero;
  if (spelling.has("rm") || spelling.has("rmi")) return Round::down;
  if (spelling.has("rp") || spelling.has("rpi")) return Round::up;
  return Round::nearest;
}
/// f.operator()<flag>().
template <class F>
Execute with_flag(bool flag, F f) {
  return flag ? f.template operator()<true>() : f.template operator()<false>();
}
/// f.operator()<round>().
template <class F>
Execute with_round(Round round, F f) {
  switch (round) {
    case Round::zero:
      return f.template operator()<Round::zero>();
    case Round::down:
      return f.template operator()<Round::down>();
    case Round::up:
      return f.template operator()<Round::up>();
    default:
      return f.template operator()<Round::nearest>();
  }
}

}  // namespace agpusim::ptx
