#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>

#include "agpusim/ptx/run/lanes.hpp"
#include "agpusim/ptx/run/rounding.hpp"

// Arithmetic of f32 and f64. Operations that are approximate on the hardware are as exact here as
// the host's library is.
namespace agpusim::ptx {
namespace {

template <class... T>
bool are_finite(T... values) {
  return (std::isfinite(values) && ...);
}

/// a * b + c. Directed roundings of f32 start from a double, those of f64 from exact numbers.
template <Round round>
float multiply_add(float a, float b, float c) {
  if (round == Round::nearest) return std::fma(a, b, c);
  return to_float<round>(odd_sum<round>(double{a} * b, c));
}
template <Round round>
double multiply_add(double a, double b, double c) {
  const double near = std::fma(a, b, c);
  if (round == Round::nearest || !are_finite(a, b, c)) return near;
  return rounded<double>(sum(product(exact(a), exact(b)), exact(c), round), round);
}

struct Add {
  template <Round round>
  static float of(float a, float b) {
    return round == Round::nearest ? a + b : to_float<round>(odd_sum<round>(a, b));
  }
  template <Round round>
  static double of(double a, double b) {
    if (round == Round::nearest || !are_finite(a, b)) return a + b;
    return rounded<double>(sum(exact(a), exact(b), round), round);
  }
};
struct Subtract {
  template <Round round, class T>
  static T of(T a, T b) {
    return round == Round::nearest ? a - b : Add::of<round>(a, -b);
  }
};
struct Multiply {
  template <Round round>
  static float of(float a, float b) {
    return round == Round::nearest ? a * b : to_float<round>(double{a} * b);
  }
  template <Round round>
  static double of(double a, double b) {
    if (round == Round::nearest || !are_finite(a, b)) return a * b;
    return rounded<double>(product(exact(a), exact(b)), round);
  }
};
struct MultiplyAdd {
  template <Round round, class T>
  static T of(T a, T b, T c) {
    return multiply_add<round>(a, b, c);
  }
};
struct Divide {
  template <Round round, class T>
  static T of(T a, T b) {
    if (round == Round::nearest || !are_finite(a, b) || b == 0) return a / b;
    return rounded<T>(quotient(exact(a), exact(b)), round);
  }
};
/// div.approx multiplies with the reciprocal, which is flushed for divisors above 2^126.
struct DivideApproximately {
  template <Round>
  static float of(float a, float b) {
    const float size = std::fabs(b);
    return size > 0x1p126F && std::isfinite(size) ? a * std::copysign(0.0F, b) : a / b;
  }
};
struct Reciprocal {
  template <Round round, class T>
  static T of(T a) {
    return Divide::of<round>(T{1}, a);
  }
};
struct Root {
  template <Round round, class T>
  static T of(T a) {
    if (round == Round::nearest || !are_finite(a) || a <= 0) return std::sqrt(a);
    return rounded<T>(root(exact(a)), round);
  }
};
struct ReciprocalRoot {
  template <Round, class T>
  static T of(T a) {
    return static_cast<T>(1 / std::sqrt(static_cast<double>(a)));
  }
};
/// F of an f64, with the upper half of operand and result only.
template <class F>
struct Gross {
  static double of(double a) {
    constexpr std::uint64_t upper = ~std::uint64_t{0} << 32;
    const double operand = std::bit_cast<double>(std::bit_cast<std::uint64_t>(flushed(a)) & upper);
    const double result = F::template of<Round::nearest>(operand);
    if (result != result) return std::bit_cast<double>(0x7FFFFFFF00000000);
    return flushed(std::bit_cast<double>(std::bit_cast<std::uint64_t>(result) & upper));
  }
};
struct Absolute {
  template <Round, class T>
  static T of(T a) {
    return std::fabs(a);
  }
};
struct Negate {
  template <Round, class T>
  static T of(T a) {
    return -a;
  }
};
/// A function of double that is rounded to f32 once more.
template <double (*function)(double)>
struct Function {
  template <Round>
  static float of(float a) {
    return static_cast<float>(function(a));
  }
};
/// b with the sign of a.
struct CopySign {
  template <class T>
  static T of(T a, T b) {
    return std::copysign(b, a);
  }
};

template <class F, Round round, bool flushes, bool saturates>
struct Rounded {
  template <class... T>
  static auto of(T... operands) {
    const auto result = F::template of<round>((flushes ? flushed(operands) : operands)...);
    if constexpr (std::is_same_v<decltype(result), const double>) {
      return result;
    } else {
      const float value = or_canonical_nan(flushes ? flushed(result) : result);
      return saturates ? saturated(value) : value;
    }
  }
};
/// F::of<round> with .ftz and .sat; T: the types of the operands.
template <class F, class... T>
Execute rounded(const Spelling& spelling) {
  using D = std::common_type_t<T...>;
  return with_round(round_of(spelling), [&]<Round round>() -> Execute {
    if constexpr (std::is_same_v<D, double>) {
      return &each_lane<Rounded<F, round, false, false>, D, T...>;
    } else {
      return with_flag(spelling.has("ftz"), [&]<bool flushes>() -> Execute {
        if (!spelling.has("sat")) return &each_lane<Rounded<F, round, flushes, false>, D, T...>;
        return &each_lane<Rounded<F, round, flushes, true>, D, T...>;
      });
    }
  });
}
/// The operation of a row that offers no choice of rounding.
template <class F, class T, class... Others>
Execute approximate(const Spelling& spelling) {
  return with_flag(spelling.has("ftz"), []<bool flushes>() -> Execute {
    return &each_lane<Rounded<F, Round::nearest, flushes, false>, T, T, Others...>;
  });
}

template <bool greatest, class T>
Execute extremum(const Spelling& spelling) {
  return with_flag(spelling.has("ftz"), [&]<bool flushes>() -> Execute {
    return with_flag(spelling.has("NaN"), [&]<bool keeps_nan>() -> Execute {
      return with_flag(spelling.has("xorsign"), []<bool signs>() -> Execute {
        using F = Extremum<greatest, keeps_nan, signs>;
        return &each_lane<Rounded<F, Round::nearest, flushes, false>, T, T, T>;
      });
    });
  });
}

enum class Property { finite, infinite, number, notanumber, normal, subnormal };
constexpr std::string_view properties[] = {"finite",     "infinite", "number",
                                           "notanumber", "normal",   "subnormal"};
/// testp. A zero counts as normal.
template <class T, Property property>
void test_property(Warp& warp, const Instruction& i) {
  const T* const a = warp.row<T>(i.place[1]);
  warp.set_predicate(i.place[0], lanes_where([&](std::uint32_t l) {
                       const int kind = std::fpclassify(a[l]);
                       using enum Property;
                       return property == finite       ? kind != FP_NAN && kind != FP_INFINITE
                              : property == infinite   ? kind == FP_INFINITE
                              : property == number     ? kind != FP_NAN
                              : property == notanumber ? kind == FP_NAN
                              : property == normal     ? kind == FP_NORMAL || kind == FP_ZERO
                                                       : kind == FP_SUBNORMAL;
                     }));
}
Execute choose_property(const Spelling& spelling) {
  return for_type<float, double>(spelling.type[0], [&]<class T>() -> Execute {
    constexpr Execute all[] = {
        &test_property<T, Property::finite>, &test_property<T, Property::infinite>,
        &test_property<T, Property::number>, &test_property<T, Property::notanumber>,
        &test_property<T, Property::normal>, &test_property<T, Property::subnormal>};
    for (std::size_t k = 0; k < std::size(all); ++k) {
      if (spelling.has(properties[k])) return all[k];
    }
    return nullptr;
  });
}

constexpr auto arithmetic = Bill::arithmetic;
constexpr auto floating = Op::floating;
constexpr auto floating_divide = Op::floating_divide;
constexpr std::string_view single = "rn|rz|rm|rp? ftz? sat? f32";
constexpr std::string_view rounded_single = "rn|rz|rm|rp ftz? sat? f32";
constexpr std::string_view rounded_double = "rn|rz|rm|rp f64";

constexpr Opcode rows[] = {
    {"add", single, "Dtt", arithmetic, floating, rounded<Add, float, float>},
    {"add", "rn|rz|rm|rp? f64", "Dtt", arithmetic, floating, rounded<Add, double, double>},
    {"sub", single, "Dtt", arithmetic, floating, rounded<Subtract, float, float>},
    {"sub", "rn|rz|rm|rp? f64", "Dtt", arithmetic, floating, rounded<Subtract, double, double>},
    {"mul", single, "Dtt", arithmetic, floating, rounded<Multiply, float, float>},
    {"mul", "rn|rz|rm|rp? f64", "Dtt", arithmetic, floating, rounded<Multiply, double, double>},
    {"fma", rounded_single, "Dttt", arithmetic, floating,
     rounded<MultiplyAdd, float, float, float>},
    {"fma", rounded_double, "Dttt", arithmetic, floating,
     rounded<MultiplyAdd, double, double, double>},
    {"mad", rounded_single, "Dttt", arithmetic, floating,
     rounded<MultiplyAdd, float, float, float>},
    {"mad", rounded_double, "Dttt", arithmetic, floating,
     rounded<MultiplyAdd, double, double, double>},
    {"div", "approx ftz? f32", "Dtt", arithmetic, floating_divide,
     approximate<DivideApproximately, float, float>},
    {"div", "full|rn|rz|rm|rp ftz? f32", "Dtt", arithmetic, floating_divide,
     rounded<Divide, float, float>},
    {"div", rounded_double, "Dtt", arithmetic, floating_divide, rounded<Divide, double, double>},
    {"rcp", "approx|rn|rz|rm|rp ftz? f32", "Dt", arithmetic, floating_divide,
     rounded<Reciprocal, float>},
    {"rcp", rounded_double, "Dt", arithmetic, floating_divide, rounded<Reciprocal, double>},
    {"rcp", "approx ftz f64", "Dt", arithmetic, floating_divide,
     always<each_lane<Gross<Reciprocal>, double, double>>},
    {"sqrt", "approx|rn|rz|rm|rp ftz? f32", "Dt", arithmetic, floating_divide,
     rounded<Root, float>},
    {"sqrt", rounded_double, "Dt", arithmetic, floating_divide, rounded<Root, double>},
    {"rsqrt", "approx ftz? f32", "Dt", arithmetic, floating_divide,
     approximate<ReciprocalRoot, float>},
    {"rsqrt", "approx f64", "Dt", arithmetic, floating_divide, rounded<ReciprocalRoot, double>},
    {"rsqrt", "approx ftz f64", "Dt", arithmetic, floating_divide,
     always<each_lane<Gross<ReciprocalRoot>, double, double>>},
    {"abs", "ftz? f32", "Dt", arithmetic, floating, approximate<Absolute, float>},
    {"abs", "f64", "Dt", arithmetic, floating, approximate<Absolute, double>},
    {"neg", "ftz? f32", "Dt", arithmetic, floating, approximate<Negate, float>},
    {"neg", "f64", "Dt", arithmetic, floating, approximate<Negate, double>},
    {"min", "ftz? NaN? f32", "Dtt", arithmetic, Op::minimum, extremum<false, float>},
    {"min", "ftz? NaN? xorsign abs f32", "Dtt", arithmetic, Op::minimum, extremum<false, float>},
    {"min", "f64", "Dtt", arithmetic, Op::minimum, extremum<false, double>},
    {"max", "ftz? NaN? f32", "Dtt", arithmetic, Op::minimum, extremum<true, float>},
    {"max", "ftz? NaN? xorsign abs f32", "Dtt", arithmetic, Op::minimum, extremum<true, float>},
    {"max", "f64", "Dtt", arithmetic, Op::minimum, extremum<true, double>},
    {"sin", "approx ftz? f32", "Dt", arithmetic, floating_divide,
     approximate<Function<std::sin>, float>},
    {"cos", "approx ftz? f32", "Dt", arithmetic, floating_divide,
     approximate<Function<std::cos>, float>},
    {"lg2", "approx ftz? f32", "Dt", arithmetic, floating_divide,
     approximate<Function<std::log2>, float>},
    {"ex2", "approx ftz? f32", "Dt", arithmetic, floating_divide,
     approximate<Function<std::exp2>, float>},
    {"tanh", "approx f32", "Dt", arithmetic, floating_divide,
     approximate<Function<std::tanh>, float>},
    {"copysign", "f32|f64", "Dtt", arithmetic, Op::logic, binary<CopySign, float, double>},
    {"testp", "finite|infinite|number|notanumber|normal|subnormal f32|f64", "Pt", arithmetic,
     Op::compare, choose_property},
};

}  // namespace

std::span<const Opcode> float_rows() { return rows; }

}  // namespace agpusim::ptx
