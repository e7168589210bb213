#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "agpusim/model/agpu/operands.hpp"
#include "agpusim/model/agpu/word_arithmetic.hpp"

// The operators and functions of lane values: each is one issued instruction. operands.hpp says
// which operands they take.
namespace agpusim {

namespace detail {

template <class Operation, class A, class B>
auto arithmetic(Op op, const A& a, const B& b) {
  using T = operand_t<A, B>;
  const auto result = [](T x, T y) { return Operation::result(x, y); };
  if constexpr (can_overflow<T>) {
    return lanewise<T, T, T>(op, a, b, result, [](T x, T y) { return Operation::overflows(x, y); });
  } else {
    return lanewise<T, T, T>(op, a, b, result);
  }
}

/// f(x, count), where C++ defines it for counts below the bits of the left operand only.
template <class A, class B, class F>
auto shift(const A& a, const B& b, F f) {
  using T = decltype(lane_t<A>{} << 1);
  using Count = std::make_unsigned_t<decltype(lane_t<B>{} << 1)>;
  constexpr Count bits = std::numeric_limits<std::make_unsigned_t<T>>::digits;
  const auto undefined = [](T, Count count) { return count >= bits; };
  const auto result = [f](T x, Count count) { return f(x, count & (bits - 1)); };
  constexpr std::string_view rule = "shift by a negative count or by all bits of the type or more";
  if constexpr (is_varying<B>) {
    return lanewise<T, T, Count>(Op::shift, a, b, result, undefined, rule);
  } else {
    const auto count = static_cast<Count>(b);
    if (undefined(T{}, count)) check_lanes(a.context(), rule, [](std::int32_t) { return true; });
    return lanewise<T, T, Count>(Op::shift, a, count, result);
  }
}

}  // namespace detail

#define AGPUSIM_REFUSE(op)                 \
  template <class A, detail::AnyWith<A> B> \
  detail::OtherType operator op(const A& a, const B& b) = delete;

#define AGPUSIM_ARITHMETIC(op, Operation, kind)                   \
  AGPUSIM_REFUSE(op)                                              \
  template <class A, detail::ArithmeticWith<A> B>                 \
  auto operator op(const A& a, const B& b) {                      \
    return detail::arithmetic<detail::Operation>(Op::kind, a, b); \
  }
AGPUSIM_ARITHMETIC(+, Add, add)
AGPUSIM_ARITHMETIC(-, Subtract, add)
AGPUSIM_ARITHMETIC(*, Multiply, multiply)
#undef AGPUSIM_ARITHMETIC

AGPUSIM_REFUSE(/)
template <class A, detail::VaryingDivisorOf<A> B>
detail::VaryingDivisor operator/(const A& a, const B& b) = delete;
/// Floating-point numbers, or integers by a uniform divisor.
template <class A, detail::DivisorOf<A> B>
auto operator/(const A& a, const B& b) {
  using T = detail::operand_t<A, B>;
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) a.context().fail("division by zero", 0);
    if constexpr (std::is_signed_v<T>) {
      if (static_cast<T>(b) == -1) return T{0} - a;  // the processor traps where this overflows
    }
  }
  return detail::lanewise<T, T, T>(Op::divide, a, b, [](T x, T y) { return x / y; });
}

AGPUSIM_REFUSE(%)
template <class A, detail::VaryingDivisorOf<A> B>
detail::VaryingDivisor operator%(const A& a, const B& b) = delete;
template <class A, detail::ModulusOf<A> B>
auto operator%(const A& a, const B& b) {
  using T = detail::operand_t<A, B>;
  if (b == 0) a.context().fail("division by zero", 0);
  if constexpr (std::is_signed_v<T>) {
    if (static_cast<T>(b) == -1) {
      const auto overflows = [](T x, T) { return x == std::numeric_limits<T>::min(); };
      return detail::lanewise<T, T, T>(
          Op::divide, a, b, [](T, T) { return T{0}; }, overflows);
    }
  }
  return detail::lanewise<T, T, T>(Op::divide, a, b, [](T x, T y) { return x % y; });
}

#define AGPUSIM_BITWISE(op)                                                            \
  AGPUSIM_REFUSE(op)                                                                   \
  template <class A, detail::BitsWith<A> B>                                            \
  auto operator op(const A& a, const B& b) {                                           \
    using T = detail::operand_t<A, B>;                                                 \
    return detail::lanewise<T, T, T>(Op::logic, a, b,                                  \
                                     [](T x, T y) { return static_cast<T>(x op y); }); \
  }
AGPUSIM_BITWISE(&)
AGPUSIM_BITWISE(|)
AGPUSIM_BITWISE(^)
#undef AGPUSIM_BITWISE

#define AGPUSIM_SHIFT(op)                                                      \
  AGPUSIM_REFUSE(op)                                                           \
  template <class A, detail::CountFor<A> B>                                    \
  auto operator op(const A& a, const B& b) {                                   \
    return detail::shift(a, b, [](auto x, auto count) { return x op count; }); \
  }
AGPUSIM_SHIFT(<<)
AGPUSIM_SHIFT(>>)
#undef AGPUSIM_SHIFT

#define AGPUSIM_COMPARISON(op)                                                          \
  AGPUSIM_REFUSE(op)                                                                    \
  template <class A, detail::With<A> B>                                                 \
  Varying<bool> operator op(const A& a, const B& b) {                                   \
    using T = detail::operand_t<A, B>;                                                  \
    return detail::lanewise<bool, T, T>(                                                \
        Op::compare, a, b, [](T x, T y) { return static_cast<std::uint8_t>(x op y); }); \
  }
AGPUSIM_COMPARISON(<)
AGPUSIM_COMPARISON(<=)
AGPUSIM_COMPARISON(>)
AGPUSIM_COMPARISON(>=)
AGPUSIM_COMPARISON(==)
AGPUSIM_COMPARISON(!=)
#undef AGPUSIM_COMPARISON

// Both operands are computed.
#define AGPUSIM_LOGICAL(op, bitwise)                  \
  AGPUSIM_REFUSE(op)                                  \
  template <class A, detail::TruthWith<A> B>          \
  Varying<bool> operator op(const A& a, const B& b) { \
    return a bitwise b;                               \
  }
AGPUSIM_LOGICAL(&&, &)
AGPUSIM_LOGICAL(||, |)
#undef AGPUSIM_LOGICAL
#undef AGPUSIM_REFUSE
inline Varying<bool> operator!(const Varying<bool>& a) { return a ^ true; }

template <class A, detail::AnyWith<A> B>
detail::OtherType min(const A& a, const B& b) = delete;
template <class A, detail::With<A> B>
auto min(const A& a, const B& b) {
  using T = detail::operand_t<A, B>;
  return detail::lanewise<T, T, T>(Op::minimum, a, b, [](T x, T y) { return y < x ? y : x; });
}

template <class A, detail::AnyWith<A> B>
detail::OtherType max(const A& a, const B& b) = delete;
template <class A, detail::With<A> B>
auto max(const A& a, const B& b) {
  using T = detail::operand_t<A, B>;
  return detail::lanewise<T, T, T>(Op::minimum, a, b, [](T x, T y) { return x < y ? y : x; });
}

template <class A, class B, detail::AnyFactors<A, B> C>
detail::OtherType fma(const A& a, const B& b, const C& c) = delete;
/// a·b + c of floating-point numbers, rounded once.
template <class A, class B, detail::SummandOf<A, B> C>
auto fma(const A& a, const B& b, const C& c) {
  using T = detail::operand_t<A, B, C>;
  LaneContext& context = detail::context_of(a, b, c);
  const auto x = detail::source<T>(a);
  const auto y = detail::source<T>(b);
  const auto z = detail::source<T>(c);
  Varying<T> result(context);
  context.count<T>(Op::multiply, result, a, b, c);
  auto* const out = result.data();
  for (std::int32_t i = 0, n = context.padded(); i < n; ++i) out[i] = std::fma(x[i], y[i], z[i]);
  return result;
}

template <class A, class B>
detail::OtherType select(const Varying<bool>& condition, const A& a, const B& b) = delete;
/// Lane by lane `a` where `condition`, else `b`, without divergence.
template <class A, detail::ChoiceWith<A> B>
auto select(const Varying<bool>& condition, const A& a, const B& b) {
  using T = detail::operand_t<A, B>;
  LaneContext& context = condition.context();
  condition.use();
  const auto x = detail::source<T>(a);
  const auto y = detail::source<T>(b);
  Varying<T> result(context);
  context.count<T>(Op::select, result, condition, a, b);
  auto* const out = result.data();
  for (std::int32_t i = 0, n = context.padded(); i < n; ++i) {
    out[i] = condition.data()[i] != 0 ? x[i] : y[i];
  }
  return result;
}

/// Conversion of the lane type. A floating-point number must fit an integer without its fraction.
template <LaneScalar R, class T>
Varying<R> cast(const Varying<T>& a) {
  LaneContext& context = a.context();
  a.use();
  Varying<R> result(context);
  context.count<std::conditional_t<(sizeof(T) > sizeof(R)), T, R>>(Op::convert, result, a);
  if constexpr (std::is_floating_point_v<T> && std::is_integral_v<R> && !std::is_same_v<R, bool>) {
    detail::check_lanes(context, "cast to an integer type that the value does not fit",
                        [in = a.data()](std::int32_t i) {
                          const T least = static_cast<T>(std::numeric_limits<R>::min());
                          const T end = std::ldexp(T{1}, std::numeric_limits<R>::digits);
                          const T whole = std::trunc(in[i]);
                          return !(least <= whole && whole < end);
                        });
  }
  auto* const out = result.data();
  for (std::int32_t i = 0, n = context.padded(); i < n; ++i) {
    out[i] = static_cast<typename Varying<R>::Storage>(static_cast<R>(a.data()[i]));
  }
  return result;
}

}  // namespace agpusim
