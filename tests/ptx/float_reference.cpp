#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

#include "agpusim/tests/ptx/lane_reference.hpp"

// Roundings are those of the host's hardware, in the mode that an instruction asks for.
namespace agpusim::ptx {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

int mode_of(const Spelling& spelling) {
  for (const std::string_view modifier : spelling.modifiers) {
    if (modifier == "rz" || modifier == "rzi") return FE_TOWARDZERO;
    if (modifier == "rm" || modifier == "rmi") return FE_DOWNWARD;
    if (modifier == "rp" || modifier == "rpi") return FE_UPWARD;
  }
  return FE_TONEAREST;
}
/// f() under a rounding mode; what it computes with must be volatile, too.
template <class F>
auto under(int mode, F f) {
  std::fesetround(mode);
  const volatile auto result = f();
  std::fesetround(FE_TONEAREST);
  return result;
}

Type one_of(Type type) {
  return type == Type::f16x2 ? Type::f16 : type == Type::bf16x2 ? Type::bf16 : type;
}
double flush(Type type, double value) {
  const double least = type == Type::f16 ? 0x1p-14 : 0x1p-126;
  return type != Type::f64 && std::fabs(value) < least ? std::copysign(0.0, value) : value;
}
std::uint64_t nan_of(Type type) {
  return type == Type::f64   ? std::bit_cast<std::uint64_t>(not_a_number)
         : type == Type::f32 ? 0x7FFFFFFF
                             : 0x7FFF;
}

/// A half under a rounding mode, searched among all.
std::uint64_t half_bits(Type type, long double value, int mode) {
  const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  const long double size = std::fabs(value);
  std::uint64_t low = 0;
  std::uint64_t high = type == Type::f16 ? 0x7C00 : 0x7F80;
  if (value != value) return 0x7FFF;
  if (std::isinf(value)) return sign | high;
  while (high - low > 1) {
    const std::uint64_t middle = (low + high) / 2;
    (number_of(type, middle) <= size ? low : high) = middle;
  }
  const long double below = number_of(type, low);
  // What would follow the greatest number stands in for infinity.
  const bool is_top = std::isinf(number_of(type, high));
  const long double above = is_top ? 2 * below - static_cast<long double>(number_of(type, low - 1))
                                   : number_of(type, high);
  if (size == below) return sign | low;
  const bool is_up = mode == FE_TONEAREST ? size - below > above - size ||
                                                (size - below == above - size && low % 2 == 1)
                                          : mode == (sign != 0 ? FE_DOWNWARD : FE_UPWARD);
  return sign | (is_up ? high : low);
}
/// A number as bits of a type, rounded once.
std::uint64_t bits_under(Type type, long double value, int mode) {
  volatile long double exact = value;
  if (value != value) return nan_of(type);
  if (type == Type::f32) {
    return std::bit_cast<std::uint32_t>(under(mode, [&] { return static_cast<float>(exact); }));
  }
  if (type == Type::f64) {
    return std::bit_cast<std::uint64_t>(under(mode, [&] { return static_cast<double>(exact); }));
  }
  return half_bits(type, value, mode);
}

/// An operation on T under a rounding mode.
template <class T>
T operation(std::string_view name, int mode, T first, T second, T third) {
  volatile T a = first;
  volatile T b = second;
  volatile T c = third;
  return under(mode, [&]() -> T {
    if (name == "add") return a + b;
    if (name == "sub") return a - b;
    if (name == "mul") return a * b;
    if (name == "div") return a / b;
    if (name == "rcp") return 1 / a;
    if (name == "sqrt") return std::sqrt(a);
    return std::fma(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
  });
}
/// The result of an operation on halves, cut off, with the last bit set where it was not exact.
double to_odd(std::string_view name, double first, double second, double third) {
  volatile double a = first;
  volatile double b = second;
  volatile double c = third;
  std::feclearexcept(FE_ALL_EXCEPT);
  const double result = under(FE_TOWARDZERO, [&]() -> double {
    if (name == "add") return a + b;
    if (name == "sub") return a - b;
    if (name == "mul") return a * b;
    return std::fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c));
  });
  const bool inexact = std::fetestexcept(FE_INEXACT) != 0;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(result) | (inexact ? 1 : 0));
}

double extremum(std::string_view name, const Spelling& spelling, double a, double b) {
  const bool signs = spelling.has("xorsign");
  const bool negative = std::signbit(a) != std::signbit(b);
  if (signs) {
    a = std::fabs(a);
    b = std::fabs(b);
  }
  if (std::isnan(a) && std::isnan(b)) return not_a_number;
  if (spelling.has("NaN") && (std::isnan(a) || std::isnan(b))) return not_a_number;
  double result = std::isnan(a) ? b : a;
  if (!std::isnan(a) && !std::isnan(b)) {
    const bool less = a < b || (a == b && std::signbit(a));
    result = (name == "min") == less ? a : b;
  }
  return signs ? std::copysign(result, negative ? -1.0 : 1.0) : result;
}
double limited(const Spelling& spelling, double value) {
  if (spelling.has("sat")) return value > 0 ? std::fmin(value, 1.0) : 0.0;
  if (spelling.has("relu") && value <= 0) return 0.0;
  return value;
}

/// Functions that hardware approximates, as exact as the host has them.
double function(std::string_view name, double a, double b) {
  if (name == "div") return a / b;
  if (name == "rcp") return 1 / a;
  if (name == "sqrt") return std::sqrt(a);
  if (name == "rsqrt") return a == 0 ? std::copysign(infinity, a) : 1 / std::sqrt(a);
  if (name == "sin") return std::sin(a);
  if (name == "cos") return std::cos(a);
  if (name == "lg2") return std::log2(a);
  if (name == "ex2") return std::exp2(a);
  return std::tanh(a);
}

}  // namespace

double number_of(Type type, std::uint64_t bits) {
  if (type == Type::f64) return std::bit_cast<double>(bits);
  if (type == Type::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const int fraction = type == Type::f16 ? 10 : 7;
  const int highest = (1 << (15 - fraction)) - 1;
  const int exponent = static_cast<int>(bits >> fraction) & highest;
  const auto below = static_cast<double>(bits & ((1U << fraction) - 1));
  double size = std::ldexp(below + (exponent != 0 ? 1 << fraction : 0),
                           (exponent != 0 ? exponent : 1) - highest / 2 - fraction);
  if (exponent == highest) size = below == 0 ? infinity : not_a_number;
  return (bits & 0x8000) != 0 ? -size : size;
}
bool holds(std::string_view comparison, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  if (comparison == "num") return !unordered;
  if (comparison == "nan") return unordered;
  if (unordered) return comparison.size() == 3;  // equ, ltu and the like
  const std::string_view ordered = comparison.substr(0, 2);
  if (ordered == "eq") return a == b;
  if (ordered == "ne") return a != b;
  if (ordered == "lt" || ordered == "lo") return a < b;
  if (ordered == "le" || ordered == "ls") return a <= b;
  if (ordered == "gt" || ordered == "hi") return a > b;
  return a >= b;
}

LaneOut float_reference(std::string_view name, const Spelling& spelling, const LaneIn& in) {
  const Type type = spelling.type[0];
  const bool is_single = type == Type::f32;
  const bool flushes = spelling.has("ftz");
  const auto operand = [&](std::size_t i) {
    const double value = number_of(type, in.bits[i]);
    return flushes ? flush(type, value) : value;
  };
  const double a = operand(0);
  const double b = operand(1);
  const double c = operand(2);
  LaneOut out;
  out.any_nan = !is_single;
  const auto result = [&](double value) {
    value = limited(spelling, flushes ? flush(type, value) : value);
    out.bits = bits_under(type, value, FE_TONEAREST);
    return out;
  };
  if (name == "testp") {
    const int kind = std::fpclassify(is_single ? static_cast<float>(a) : a);
    const bool subnormal = is_single ? a != 0 && std::fabs(a) < 0x1p-126 : kind == FP_SUBNORMAL;
    const bool finite = kind != FP_NAN && kind != FP_INFINITE;
    out.first = spelling.has("finite")       ? finite
                : spelling.has("infinite")   ? kind == FP_INFINITE
                : spelling.has("number")     ? kind != FP_NAN
                : spelling.has("notanumber") ? kind == FP_NAN
                : spelling.has("normal")     ? finite && !subnormal
                                             : subnormal;
    return out;
  }
  if (name == "copysign") {
    const std::uint64_t sign = std::uint64_t{1} << (8 * bytes_of(type) - 1);
    out.bits = (in.bits[1] & ~sign) | (in.bits[0] & sign);
    return out;
  }
  if (name == "abs") return result(std::fabs(a));
  if (name == "neg") return result(-a);
  if (name == "min" || name == "max") return result(extremum(name, spelling, a, b));
  if (type == Type::f64 && spelling.has("approx") && flushes) {
    // The function takes the upper halves of numbers, which are flushed.
    const auto upper = std::bit_cast<double>(in.bits[0] >> 32 << 32);
    double value = function(name, std::fpclassify(upper) == FP_SUBNORMAL ? upper * 0 : upper, 0);
    if (std::fpclassify(value) == FP_SUBNORMAL) value *= 0;
    out.relative = 0x1p-19;
    out.bits = bits_under(type, value, FE_TONEAREST);
    return out;
  }
  const bool is_function = name == "sin" || name == "cos" || name == "lg2" || name == "ex2" ||
                           name == "tanh" || name == "rsqrt";
  if (is_function || spelling.has("approx") || spelling.has("full")) {
    double value = function(name, a, b);
    if (name == "div" && spelling.has("approx") && std::fabs(b) > 0x1p126 && std::isfinite(b)) {
      value = std::isfinite(a) ? std::copysign(0.0, a) * std::copysign(1.0, b) : not_a_number;
    }
    out.relative = is_single ? 0x1p-22 : 0x1p-51;
    out.absolute = is_single ? 0x1p-148 : 0;
    return result(value);
  }
  if (name != "add" && name != "sub" && name != "mul" && name != "fma" && name != "mad" &&
      name != "div" && name != "rcp" && name != "sqrt") {
    out.unknown = true;
    return out;
  }
  const int mode = mode_of(spelling);
  if (!is_single) return result(operation<double>(name, mode, a, b, c));
  return result(operation<float>(name, mode, static_cast<float>(a), static_cast<float>(b),
                                 static_cast<float>(c)));
}

LaneOut half_reference(std::string_view name, const Spelling& spelling, const LaneIn& in) {
  const bool is_comparison = name == "set" || name == "setp";
  const Type whole = spelling.type[name == "set" ? 1 : 0];
  const Type type = one_of(whole);
  LaneOut out;
  for (int part = 0; part < (whole == type ? 1 : 2); ++part) {
    const auto operand = [&](std::size_t i) {
      const double value = number_of(type, in.bits[i] >> 16 * part & 0xFFFF);
      return spelling.has("ftz") ? flush(type, value) : value;
    };
    const double a = operand(0);
    const double b = operand(1);
    if (is_comparison) {
      const bool value = holds(spelling.modifiers[0], a, b);
      (part == 0 ? out.first : out.second) = combine(spelling, value, in.predicate);
      if (whole == type) out.second = combine(spelling, !value, in.predicate);
      continue;
    }
    double value = 0;
    if (name == "abs" || name == "neg") {
      value = name == "abs" ? std::fabs(a) : -a;
    } else if (name == "min" || name == "max") {
      value = extremum(name, spelling, a, b);
    } else if (name == "ex2" || name == "tanh") {
      value = function(name, a, 0);
      out.relative = type == Type::f16 ? 0x1p-9 : 0x1p-7;
      out.absolute = type == Type::f16 ? 0x1p-24 : 0x1p-133;
    } else if (name == "add" || name == "sub" || name == "mul" || name == "fma") {
      value = to_odd(name, a, b, operand(2));
    } else {
      out.unknown = true;
    }
    std::uint64_t half = half_bits(type, limited(spelling, value), FE_TONEAREST);
    if (spelling.has("ftz") && flush(type, number_of(type, half)) == 0) half &= 0x8000;
    out.bits |= half << 16 * part;
  }
  if (name == "set") {
    const Type result = spelling.type[0];
    const std::uint64_t one = one_of(result) == Type::f16              ? 0x3C00
                              : one_of(result) == Type::bf16           ? 0x3F80
                              : whole == type && bytes_of(result) == 4 ? 0xFFFFFFFF
                                                                       : 0xFFFF;
    out.bits = out.first ? one : 0;
    if (whole != type && out.second) out.bits |= one << 16;
  }
  return out;
}

LaneOut convert_reference(const Spelling& spelling, const LaneIn& in) {
  const Type to = spelling.type[0];
  const Type from = spelling.type[1];
  const int mode = mode_of(spelling);
  LaneOut out;
  if (bytes_of(to) == 4 && is_half(to)) {
    for (std::size_t i = 0; i < 2; ++i) {
      const double value = limited(spelling, number_of(Type::f32, in.bits[i]));
      out.bits |= half_bits(one_of(to), value, mode) << (i == 0 ? 16 : 0);
    }
    return out;
  }
  const bool to_number = is_float(to) || is_half(to);
  const bool from_number = is_float(from) || is_half(from);
  const bool flushes = spelling.has("ftz");
  long double value = 0;
  if (from_number) {
    const double number = number_of(from, in.bits[0]);
    value = flushes && from == Type::f32 ? flush(from, number) : number;
  } else {
    value = static_cast<long double>(integer_of(from, in.bits[0]));
  }
  const bool to_whole =
      from_number && (!to_number || (to == from && spelling.modifiers[0][0] == 'r'));
  if (to_whole) {
    volatile long double exact = value;
    value = under(mode, [&] { return std::rint(static_cast<long double>(exact)); });
  }
  if (to_number) {
    out.any_nan = to == Type::f64 || from == Type::bf16;
    out.bits = bits_under(to, value, mode);
    double number = number_of(to, out.bits);
    if (flushes && to == Type::f32) number = flush(to, number);
    out.bits = bits_under(to, limited(spelling, number), FE_TONEAREST);
    return out;
  }
  const int width = 8 * static_cast<int>(bytes_of(to));
  const long double least = is_signed(to) ? -std::ldexp(1.0L, width - 1) : 0;
  const long double limit = std::ldexp(1.0L, is_signed(to) ? width - 1 : width);
  Whole result = 0;
  if (value != value) {
    const bool is_zero = from != Type::f64 && bytes_of(to) < 8;
    result = is_zero ? 0 : Whole{1} << (width - 1);
  } else if ((from_number || spelling.has("sat")) && (value < least || value >= limit)) {
    result = static_cast<Whole>(value < least ? least : limit) - (value < least ? 0 : 1);
  } else {
    result = from_number ? static_cast<Whole>(value) : integer_of(from, in.bits[0]);
  }
  // The register is filled with the sign, or with zeros.
  const Type wide = spelling.bytes[0] == 8   ? Type::u64
                    : spelling.bytes[0] == 4 ? Type::u32
                                             : Type::u16;
  out.bits = bits_of(wide, integer_of(to, bits_of(to, result)));
  return out;
}

}  // namespace agpusim::ptx
