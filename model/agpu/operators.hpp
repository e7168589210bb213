#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "agpusim/model/agpu/operands.hpp"
#include "agpusim/model/agpu/word_arithmetic.hpp"
#include "agpusim/model/source_line.hpp"

// The operators and functions of lane values: each is one issued instruction. operands.hpp says
// which operands they take.
namespace agpusim {

namespace detail {

template <class Operation, class A, class B>
auto arithmetic(const A& a, const B& b, SourceLine where) {
  using T = operand_t<A, B>;
  const auto result = [](T x, T y) { return Operation::result(x, y); };
  if constexpr (can_overflow<T>) {
    const auto overflows = [](T x, T y) { return Operation::overflows(x, y); };
    auto lanes = lanewise<T, T, T>(Operation::op, a, b, where, result, overflows);
    if constexpr (Operation::op == Op::add && is_varying<A> && !is_varying<B>) {
      lanes.context().keep_ascending(a.id(), lanes.id());
    }
    return lanes;
  } else {
    return lanewise<T, T, T>(Operation::op, a, b, where, result);
  }
}

/// Quotient or remainder f(x, b) of integers. Where nvcc knows the divisor, it makes of a power of
/// two a shift or a mask, else the upper half of a product.
template <class T, class F>
Varying<T> divide(const Varying<T>& a, const DivisorOfLanes<T>& b, bool is_remainder, F f) {
  if (!b.is_known) return lanewise<T, T, T>(Op::divide, a, b.value, b.where, f);
  const bool shifts =
      b.value > 0 && std::has_single_bit(static_cast<std::make_unsigned_t<T>>(b.value));
  Varying<T> result = lanewise<T, T, T>(shifts ? Op::shift : Op::multiply, a, b.value, b.where, f);
  const auto then = [&](bool needed, Op op) {
    if (needed) a.context().execute(op, sizeof(T) > 4, result.arrives(), {&result.arrives()});
  };
  if (a.context().lone() == nullptr) return result;
  then(shifts && std::is_signed_v<T>, Op::add);
  then(shifts && std::is_signed_v<T>, is_remainder ? Op::add : Op::shift);
  then(!shifts && sizeof(T) > 4, Op::multiply);
  then(!shifts, Op::shift);
  then(!shifts && is_remainder, Op::multiply);
  return result;
}

template <class A, class B>
auto quotient(const A& a, const B& b, SourceLine where) {
  return lanewise<operand_t<A, B>, operand_t<A, B>, operand_t<A, B>>(
      Op::divide, a, b, where, [](auto x, auto y) { return x / y; });
}

template <class T>
Varying<T> quotient(const Varying<T>& a, const DivisorOfLanes<T>& b) {
  if constexpr (std::is_integral_v<T>) {
    if (b.value == 0) a.context().fail("division by zero", 0, b.where);
    if constexpr (std::is_signed_v<T>) {
      // the processor traps where this overflows
      if (b.value == T{-1}) return arithmetic<Subtract>(T{0}, a, b.where);
    }
    return divide(a, b, false, [](T x, T y) { return x / y; });
  } else {
    return quotient(a, b.value, b.where);
  }
}

template <class T>
Varying<T> remainder(const Varying<T>& a, const DivisorOfLanes<T>& b) {
  if (b.value == 0) a.context().fail("division by zero", 0, b.where);
  if constexpr (std::is_signed_v<T>) {
    if (b.value == T{-1}) {
      const auto overflows = [](T x, T) { return x == std::numeric_limits<T>::min(); };
      return lanewise<T, T, T>(
          Op::divide, a, b.value, b.where, [](T, T) { return T{0}; }, overflows);
    }
  }
  return divide(a, b, true, [](T x, T y) { return x % y; });
}

/// f(x, count), where C++ defines it for counts below the bits of the left operand only.
template <class A, class B, class F>
auto shift(const A& a, const B& b, SourceLine where, F f) {
  using T = decltype(lane_t<A>{} << 1);
  using Count = std::make_unsigned_t<decltype(lane_t<B>{} << 1)>;
  constexpr Count bits = std::numeric_limits<std::make_unsigned_t<T>>::digits;
  const auto undefined = [](T, Count count) { return count >= bits; };
  const auto result = [f](T x, Count count) { return f(x, count & (bits - 1)); };
  constexpr std::string_view rule = "shift by a negative count or by all bits of the type or more";
  if constexpr (is_varying<B>) {
    return lanewise<T, T, Count>(Op::shift, a, b, where, result, undefined, rule);
  } else {
    if (undefined(T{}, b)) {
      check_lanes(a.context(), rule, where, [](std::int32_t) { return true; });
    }
    const auto count = static_cast<std::uint32_t>(b & (bits - 1));
    return lanewise<T, T, std::uint32_t>(Op::shift, a, count, where, f);
  }
}

}  // namespace detail

// One operator: `function(a, b, where)` of two varying operands or a varying and a uniform one
// where `Rule` allows them.
#define AGPUSIM_LANES_AND_LANES(op, Rule, function)                    \
  template <class T>                                                   \
  requires detail::Rule<Varying<T>, Varying<T>>                        \
  auto operator op(const Varying<T>& a, const detail::LanesOf<T>& b) { \
    return function(a, b.lanes, b.where);                              \
  }
#define AGPUSIM_LANES_AND_UNIFORM(op, Rule, function)                    \
  template <class T>                                                     \
  requires detail::Rule<T, Varying<T>>                                   \
  auto operator op(const Varying<T>& a, const detail::UniformOf<T>& b) { \
    return function(a, b.value, b.where);                                \
  }
#define AGPUSIM_UNIFORM_AND_LANES(op, Rule, function)                    \
  template <class T>                                                     \
  requires detail::Rule<Varying<T>, T>                                   \
  auto operator op(const detail::UniformOf<T>& a, const Varying<T>& b) { \
    return function(a.value, b, a.where);                                \
  }
#define AGPUSIM_REFUSE(op, allowed)        \
  template <class A, detail::AnyWith<A> B> \
  requires(!(allowed)) detail::OtherType operator op(const A& a, const B& b) = delete;
#define AGPUSIM_OPERATOR(op, Rule, function)    \
  AGPUSIM_LANES_AND_LANES(op, Rule, function)   \
  AGPUSIM_LANES_AND_UNIFORM(op, Rule, function) \
  AGPUSIM_UNIFORM_AND_LANES(op, Rule, function)

#define AGPUSIM_ARITHMETIC(op, Operation)            \
  AGPUSIM_REFUSE(op, (detail::ArithmeticWith<B, A>)) \
  AGPUSIM_OPERATOR(op, ArithmeticWith, detail::arithmetic<detail::Operation>)
AGPUSIM_ARITHMETIC(+, Add)
AGPUSIM_ARITHMETIC(-, Subtract)
AGPUSIM_ARITHMETIC(*, Multiply)
#undef AGPUSIM_ARITHMETIC

// Floating-point numbers, or integers by a uniform divisor.
AGPUSIM_REFUSE(/, (detail::DivisorOf<B, A> || detail::VaryingDivisorOf<B, A>))
template <class A, detail::VaryingDivisorOf<A> B>
detail::VaryingDivisor operator/(const A& a, const B& b) = delete;
AGPUSIM_LANES_AND_LANES(/, DivisorOf, detail::quotient)
AGPUSIM_UNIFORM_AND_LANES(/, DivisorOf, detail::quotient)
template <class T>
requires detail::DivisorOf<T, Varying<T>>
auto operator/(const Varying<T>& a, const detail::DivisorOfLanes<T>& b) {
  return detail::quotient(a, b);
}

AGPUSIM_REFUSE(%, (detail::ModulusOf<B, A> || detail::VaryingDivisorOf<B, A>))
template <class A, detail::VaryingDivisorOf<A> B>
detail::VaryingDivisor operator%(const A& a, const B& b) = delete;
template <class T>
requires detail::ModulusOf<T, Varying<T>>
auto operator%(const Varying<T>& a, const detail::DivisorOfLanes<T>& b) {
  return detail::remainder(a, b);
}

#define AGPUSIM_BITWISE(op, name)                                              \
  namespace detail {                                                           \
  template <class A, class B>                                                  \
  auto name(const A& a, const B& b, SourceLine where) {                        \
    using T = operand_t<A, B>;                                                 \
    return lanewise<T, T, T>(Op::logic, a, b, where,                           \
                             [](T x, T y) { return static_cast<T>(x op y); }); \
  }                                                                            \
  }                                                                            \
  AGPUSIM_REFUSE(op, (detail::BitsWith<B, A>))                                 \
  AGPUSIM_OPERATOR(op, BitsWith, detail::name)
AGPUSIM_BITWISE(&, bits_and)
AGPUSIM_BITWISE(|, bits_or)
AGPUSIM_BITWISE(^, bits_xor)
#undef AGPUSIM_BITWISE

#define AGPUSIM_SHIFT_BY(op, name, Count)                               \
  template <class A>                                                    \
  requires detail::CountFor<Varying<Count>, A>                          \
  auto operator op(const A& a, const detail::LanesHere<Count>& count) { \
    return detail::name(a, count.lanes, count.where);                   \
  }
#define AGPUSIM_SHIFT(op, name)                                               \
  namespace detail {                                                          \
  template <class A, class B>                                                 \
  auto name(const A& a, const B& b, SourceLine where) {                       \
    return shift(a, b, where, [](auto x, auto count) { return x op count; }); \
  }                                                                           \
  }                                                                           \
  AGPUSIM_REFUSE(op, (detail::CountFor<B, A>))                                \
  template <class T>                                                          \
  requires detail::CountFor<int, Varying<T>>                                  \
  auto operator op(const Varying<T>& a, const detail::CountHere& count) {     \
    return detail::name(a, count.count, count.where);                         \
  }                                                                           \
  AGPUSIM_SHIFT_BY(op, name, bool)                                            \
  AGPUSIM_SHIFT_BY(op, name, std::int8_t)                                     \
  AGPUSIM_SHIFT_BY(op, name, std::uint8_t)                                    \
  AGPUSIM_SHIFT_BY(op, name, std::int16_t)                                    \
  AGPUSIM_SHIFT_BY(op, name, std::uint16_t)                                   \
  AGPUSIM_SHIFT_BY(op, name, std::int32_t)                                    \
  AGPUSIM_SHIFT_BY(op, name, std::uint32_t)                                   \
  AGPUSIM_SHIFT_BY(op, name, std::int64_t)                                    \
  AGPUSIM_SHIFT_BY(op, name, std::uint64_t)
AGPUSIM_SHIFT(<<, shift_left)
AGPUSIM_SHIFT(>>, shift_right)
#undef AGPUSIM_SHIFT
#undef AGPUSIM_SHIFT_BY

#define AGPUSIM_COMPARISON(op, name)                                                         \
  namespace detail {                                                                         \
  template <class A, class B>                                                                \
  Varying<bool> name(const A& a, const B& b, SourceLine where) {                             \
    using T = operand_t<A, B>;                                                               \
    return lanewise<bool, T, T>(Op::compare, a, b, where,                                    \
                                [](T x, T y) { return static_cast<std::uint8_t>(x op y); }); \
  }                                                                                          \
  }                                                                                          \
  AGPUSIM_REFUSE(op, (detail::With<B, A>))                                                   \
  AGPUSIM_OPERATOR(op, With, detail::name)
AGPUSIM_COMPARISON(<, less)
AGPUSIM_COMPARISON(<=, less_equal)
AGPUSIM_COMPARISON(>, greater)
AGPUSIM_COMPARISON(>=, greater_equal)
AGPUSIM_COMPARISON(==, equal)
AGPUSIM_COMPARISON(!=, not_equal)
#undef AGPUSIM_COMPARISON

// Both operands are computed.
AGPUSIM_REFUSE(&&, (detail::TruthWith<B, A>))
AGPUSIM_OPERATOR(&&, TruthWith, detail::bits_and)
AGPUSIM_REFUSE(||, (detail::TruthWith<B, A>))
AGPUSIM_OPERATOR(||, TruthWith, detail::bits_or)
inline Varying<bool> operator!(const detail::LanesHere<bool>& a) {
  return detail::bits_xor(a.lanes, true, a.where);
}
#undef AGPUSIM_REFUSE
#undef AGPUSIM_OPERATOR
#undef AGPUSIM_LANES_AND_LANES
#undef AGPUSIM_LANES_AND_UNIFORM
#undef AGPUSIM_UNIFORM_AND_LANES

template <class A, detail::AnyWith<A> B>
requires(!detail::With<B, A>) detail::OtherType min(const A& a, const B& b)
= delete;
template <class A, detail::With<A> B>
auto min(const A& a, const B& b, SourceLine where = SourceLine::current()) {
  using T = detail::operand_t<A, B>;
  return detail::lanewise<T, T, T>(Op::minimum, a, b, where,
                                   [](T x, T y) { return y < x ? y : x; });
}

template <class A, detail::AnyWith<A> B>
requires(!detail::With<B, A>) detail::OtherType max(const A& a, const B& b)
= delete;
template <class A, detail::With<A> B>
auto max(const A& a, const B& b, SourceLine where = SourceLine::current()) {
  using T = detail::operand_t<A, B>;
  return detail::lanewise<T, T, T>(Op::minimum, a, b, where,
                                   [](T x, T y) { return x < y ? y : x; });
}

template <class A, class B, detail::AnyFactors<A, B> C>
requires(!detail::SummandOf<C, A, B>) detail::OtherType fma(const A& a, const B& b, const C& c)
= delete;
/// a·b + c of floating-point numbers, rounded once.
template <class A, class B, detail::SummandOf<A, B> C>
auto fma(const A& a, const B& b, const C& c, SourceLine where = SourceLine::current()) {
  using T = detail::operand_t<A, B, C>;
  LaneContext& context = detail::context_of(a, b, c);
  const auto x = detail::source<T>(a);
  const auto y = detail::source<T>(b);
  const auto z = detail::source<T>(c);
  Varying<T> result(context);
  context.count_alu();
  auto* const out = result.data();
  for (std::int32_t i = 0, n = context.padded(); i < n; ++i) out[i] = std::fma(x[i], y[i], z[i]);
  context.made<T>(Op::multiply, where, result, a, b, c);
  return result;
}

template <class A, class B>
requires(!detail::ChoiceWith<B, A>) detail::OtherType
    select(const Varying<bool>& condition, const A& a, const B& b)
= delete;
/// Lane by lane `a` where `condition`, else `b`, without divergence.
template <class A, detail::ChoiceWith<A> B>
auto select(const Varying<bool>& condition, const A& a, const B& b,
            SourceLine where = SourceLine::current()) {
  using T = detail::operand_t<A, B>;
  LaneContext& context = condition.context();
  condition.use();
  const auto x = detail::source<T>(a);
  const auto y = detail::source<T>(b);
  Varying<T> result(context);
  context.count_alu();
  auto* const out = result.data();
  for (std::int32_t i = 0, n = context.padded(); i < n; ++i) {
    out[i] = condition.data()[i] != 0 ? x[i] : y[i];
  }
  context.made<T>(Op::select, where, result, condition, a, b);
  return result;
}

/// The bits of each lane as another type of the same size: no instruction.
template <LaneScalar R, class T>
requires(sizeof(R) == sizeof(T) && !detail::Truth<R> &&
         !detail::Truth<T>) Varying<R> bit_cast(const Varying<T>& a) {
  a.use();
  Varying<R> result(a.context());
  std::memcpy(result.data(), a.data(), static_cast<std::size_t>(a.context().padded()) * sizeof(T));
  if (a.context().lone() != nullptr) result.arrives() = a.arrives();
  return result;
}

/// Absolute value of a floating-point number or a signed integer.
template <class T>
requires(std::is_signed_v<T> &&
         sizeof(T) >= 4) Varying<T> abs(const Varying<T>& a,
                                        SourceLine where = SourceLine::current()) {
  if constexpr (std::is_floating_point_v<T>) {
    return detail::lanewise<T, T, T>(Op::add, a, T{0}, where, [](T x, T) { return std::fabs(x); });
  } else {
    const auto least = [](T x, T) { return x == std::numeric_limits<T>::min(); };
    return detail::lanewise<T, T, T>(
        Op::add, a, T{0}, where, [](T x, T) { return x < 0 ? T{0} - x : x; }, least);
  }
}

template <std::floating_point T>
Varying<T> floor(const Varying<T>& a, SourceLine where = SourceLine::current()) {
  return detail::lanewise<T, T, T>(Op::convert, a, T{0}, where,
                                   [](T x, T) { return std::floor(x); });
}

/// Rounded correctly on every machine; hardware takes as many instructions as for a division.
template <std::floating_point T>
Varying<T> sqrt(const Varying<T>& a, SourceLine where = SourceLine::current()) {
  return detail::lanewise<T, T, T>(Op::divide, a, T{0}, where, [](T x, T) { return std::sqrt(x); });
}

/// Conversion of the lane type. A floating-point number must fit an integer without its fraction.
template <LaneScalar R, class T>
Varying<R> cast(const Varying<T>& a, SourceLine where = SourceLine::current()) {
  LaneContext& context = a.context();
  a.use();
  Varying<R> result(context);
  context.count_alu();
  if constexpr (std::is_floating_point_v<T> && std::is_integral_v<R> && !std::is_same_v<R, bool>) {
    detail::check_lanes(context, "cast to an integer type that the value does not fit", where,
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
  context.made<std::conditional_t<(sizeof(T) > sizeof(R)), T, R>>(Op::convert, where, result, a);
  return result;
}

}  // namespace agpusim
