#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "agpusim/model/agpu/varying.hpp"
#include "agpusim/model/source_line.hpp"

// Which operands an operator of the lanes takes: those for which C++ computes in the lanes' type.
// On CUDA a lane is a scalar and C++'s conversions apply; here lanes keep their type. What C++
// would compute in another type is refused, so that one line has one meaning.
namespace agpusim {

namespace detail {

/// A string literal as an argument of a template.
template <std::size_t size>
struct Text {
  char characters[size]{};
  // NOLINTNEXTLINE(google-explicit-constructor): stands for the literal
  constexpr Text(const char (&text)[size]) {
    for (std::size_t i = 0; i < size; ++i) characters[i] = text[i];
  }
};

/// What a deleted function returns: the compiler's error shows the reason and the remedy.
template <Text reason>
struct Refused {};

using OtherType = Refused<
    "C++ would not compute this in the lanes' type: cast an operand first, as in cast<float>(x) * "
    "0.5f or x + static_cast<std::int32_t>(n)">;
using VaryingDivisor = Refused<
    "integers are divided by a uniform value only: take mp.uniform(d) where the lanes agree, or "
    "divide floating-point numbers">;
using BadIndex = Refused<
    "an index is a Varying<std::int32_t>: write cast<std::int32_t>(i), or mp.varying(i) of a "
    "uniform i; from(offset) moves the origin of a global view by 64 bits">;
using BadAccess = Refused<
    "an access takes a Varying<std::int32_t> index and a varying value of the view's element type: "
    "write cast<T>(value), or mp.varying(value) where it is uniform">;

template <class T>
struct LaneOf {
  using type = T;
  static constexpr bool varying = false;
};
template <class T>
struct LaneOf<Varying<T>> {
  using type = T;
  static constexpr bool varying = true;
};
template <class X>
using lane_t = typename LaneOf<std::remove_cvref_t<X>>::type;
template <class X>
inline constexpr bool is_varying = LaneOf<std::remove_cvref_t<X>>::varying;

/// Numbers of which at least one varies.
template <class... X>
concept AnyOperands = (std::is_arithmetic_v<lane_t<X>> && ...) && (is_varying<X> || ...);

/// The type in which C++ compares operands and chooses one of them.
template <class... X>
using operand_t = std::common_type_t<lane_t<X>...>;

/// Every varying operand has that type; a uniform operand is converted to it, as in C++.
template <class... X>
concept OneType = (std::is_arithmetic_v<lane_t<X>> && ...) &&
                  ((!is_varying<X> || std::is_same_v<lane_t<X>, operand_t<X...>>)&&...);

/// C++ computes with two of T in T: it promotes smaller numbers to int.
template <class T>
concept Unpromoted = std::is_same_v<decltype(T{} + T{}), T>;

template <class T>
concept Truth = std::is_same_v<T, bool>;

// What an operator takes after an A.
template <class B, class A>
concept AnyWith = AnyOperands<A, B>;
template <class B, class A>
concept ChoiceWith = OneType<A, B>;
template <class B, class A>
concept With = AnyOperands<A, B> && OneType<A, B>;
template <class B, class A>
concept ArithmeticWith = With<B, A> && Unpromoted<operand_t<A, B>>;
/// C++ makes of truth values an int that is 0 or 1; here they stay truth values.
template <class B, class A>
concept BitsWith = With<B, A> && std::is_integral_v<operand_t<A, B>> &&
    (Unpromoted<operand_t<A, B>> || Truth<operand_t<A, B>>);
template <class B, class A>
concept TruthWith = With<B, A> && Truth<operand_t<A, B>>;
/// C++ promotes each operand of a shift for itself; the result has the type of the left one.
template <class B, class A>
concept CountFor = AnyOperands<A, B> && std::is_integral_v<lane_t<A>> &&
    std::is_integral_v<lane_t<B>> &&(!is_varying<A> || Unpromoted<lane_t<A>>);
template <class B, class A>
concept DivisorOf = ArithmeticWith<B, A> &&
    (!is_varying<B> || std::is_floating_point_v<operand_t<A, B>>);
template <class B, class A>
concept ModulusOf = ArithmeticWith<B, A> && !is_varying<B> && std::is_integral_v<operand_t<A, B>>;
template <class B, class A>
concept VaryingDivisorOf = AnyOperands<A, B> && is_varying<B> && std::is_integral_v<lane_t<A>> &&
    std::is_integral_v<lane_t<B>>;

// What fma takes after an A and a B.
template <class C, class A, class B>
concept AnyFactors = AnyOperands<A, B, C>;
template <class C, class A, class B>
concept SummandOf =
    AnyOperands<A, B, C> && OneType<A, B, C> && std::is_floating_point_v<operand_t<A, B, C>>;

/// A varying operand and the line of its operator. Operators take no default argument, but what
/// converts their operand does.
template <class T>
struct LanesHere {
  // NOLINTNEXTLINE(google-explicit-constructor): stands for the operand
  LanesHere(const Varying<T>& operand, SourceLine line = SourceLine::current())
      : lanes(operand), where(line) {}
  const Varying<T>& lanes;
  SourceLine where;
};

/// A uniform operand that C++ converts to the lanes' type T, and the line of its operator.
template <class T>
struct UniformHere {
  template <class X>
  requires(!is_varying<X> && OneType<Varying<T>, X>)
      // NOLINTNEXTLINE(google-explicit-constructor): stands for the operand
      UniformHere(const X& operand, SourceLine line = SourceLine::current())
      : value(static_cast<T>(operand)), where(line) {}
  T value;
  SourceLine where;
};

/// A divisor, and whether the compiler knows it: then it multiplies or shifts instead. It does in
/// an optimised build.
template <class T>
struct DivisorHere : UniformHere<T> {
  template <class X>
  requires(!is_varying<X> && OneType<Varying<T>, X>)
      // NOLINTNEXTLINE(google-explicit-constructor): stands for the operand
      [[gnu::always_inline]] DivisorHere(const X& operand, SourceLine line = SourceLine::current())
      : UniformHere<T>(operand, line), is_known(__builtin_constant_p(operand) != 0) {}
  bool is_known;
};

/// The count of a shift, uniform and of any integer type; a negative one becomes a large one.
struct CountHere {
  template <class X>
  requires std::is_integral_v<X>
  // NOLINTNEXTLINE(google-explicit-constructor): stands for the operand
  CountHere(const X& operand, SourceLine line = SourceLine::current())
      : count(static_cast<std::uint64_t>(operand)), where(line) {}
  std::uint64_t count;
  SourceLine where;
};

// Operands from which no type is deduced, so that they are converted.
template <class T>
using LanesOf = LanesHere<std::type_identity_t<T>>;
template <class T>
using UniformOf = UniformHere<std::type_identity_t<T>>;
template <class T>
using DivisorOfLanes = DivisorHere<std::type_identity_t<T>>;

/// The context of the first operand that varies.
template <class X, class... More>
LaneContext& context_of(const X& x, const More&... more) {
  if constexpr (is_varying<X>) {
    return x.context();
  } else {
    return context_of(more...);
  }
}

/// A uniform operand, indexed like a varying one.
template <class T>
struct Broadcast {
  T value;
  T operator[](std::int32_t) const { return value; }
};

/// The lanes of an operand that is used now, uniform ones as T.
template <class T, class X>
auto source(const X& x) {
  if constexpr (is_varying<X>) {
    x.use();
    return x.data();
  } else {
    using Storage = typename Varying<T>::Storage;
    return Broadcast<Storage>{static_cast<Storage>(static_cast<T>(x))};
  }
}

inline constexpr std::string_view word_overflow =
    "word overflow: a signed result does not fit its type";

/// Names the first active lane that breaks `rule`, if there is one.
template <class Breaks>
[[gnu::noinline]] void check_lanes(LaneContext& context, std::string_view rule, SourceLine where,
                                   Breaks breaks) {
  if (!context.checks()) return;
  for (std::int32_t i = 0; i < context.width(); ++i) {
    if (context.mask().bytes[i] != 0 && breaks(i)) context.fail(rule, i, where);
  }
}

/// An operator that is defined for all operands.
struct NeverUndefined {
  template <class A, class B>
  bool operator()(A, B) const {
    return false;
  }
};

/// Whether an operator was undefined for a lane; of several lanes or'ed.
inline bool is_undefined(bool lanes) { return lanes; }
/// Whether an operator was undefined, where the highest bit tells it.
template <std::signed_integral T>
bool is_undefined(T lanes) {
  return lanes < 0;
}

/// out[i] = f(a[i], b[i]) over all lanes, active or not: an inactive lane's value is never used.
/// `f` takes the operands as A and B; hardware does it as `op` on lanes of A. Where `undefined`
/// says so of an active lane, that breaks `rule`.
template <class R, class A, class B, class X, class Y, class F, class Undefined = NeverUndefined>
Varying<R> lanewise(Op op, const X& a, const Y& b, SourceLine where, F f, Undefined undefined = {},
                    std::string_view rule = word_overflow) {
  LaneContext& context = context_of(a, b);
  Varying<R> result(context);
  context.count_alu();
  const auto x = source<A>(a);
  const auto y = source<B>(b);
  auto* const __restrict out = result.data();
  const std::int32_t n = context.padded() / 16 * 16;  // a multiple of every vector length
  using Bits = decltype(undefined(A{}, B{}));
  std::conditional_t<std::is_same_v<Bits, bool>, std::uint32_t, Bits> any = 0;
#pragma GCC ivdep
  for (std::int32_t i = 0; i < n; ++i) {
    out[i] = f(static_cast<A>(x[i]), static_cast<B>(y[i]));
    any |= undefined(static_cast<A>(x[i]), static_cast<B>(y[i]));
  }
  if (is_undefined(static_cast<Bits>(any))) [[unlikely]] {
    check_lanes(context, rule, where, [x, y, undefined](std::int32_t i) {
      return is_undefined(undefined(static_cast<A>(x[i]), static_cast<B>(y[i])));
    });
  }
  context.made<A>(op, where, result, a, b);
  return result;
}

}  // namespace detail

}  // namespace agpusim
