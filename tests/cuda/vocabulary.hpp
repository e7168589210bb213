#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "agpusim/model/elementary.hpp"
#include "agpusim/model/loop.hpp"
#include "agpusim/model/scalar.hpp"
#include "agpusim/model/trigonometry.hpp"

// Every operator and function of the kernel vocabulary in tables that are templates over what a
// lane is: as a kernel they run on either machine, with plain scalars they are the C++ that both
// machines must equal. vocabulary_check.hpp runs them.
#pragma GCC diagnostic push
// The tables mix types as the rule of the operands allows, in C++'s own way.
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wfloat-conversion"

namespace agpusim::test {

template <class X>
struct ValueOf {
  using type = X;
};
template <class X>
concept HasValueType = requires {
  typename X::value_type;
};
template <HasValueType X>
struct ValueOf<X> {
  using type = typename X::value_type;
};

/// The functions of the vocabulary.
struct Words {
#define AGPUSIM_WORD(name, function)                     \
  template <class... Values>                             \
  static AGPUSIM_FN auto name(const Values&... values) { \
    return function(values...);                          \
  }
  AGPUSIM_WORD(smaller, min)
  AGPUSIM_WORD(larger, max)
  AGPUSIM_WORD(choose, select)
  AGPUSIM_WORD(fused, fma)
  AGPUSIM_WORD(ones, popcount)
  AGPUSIM_WORD(highest, highest_bit)
  AGPUSIM_WORD(root, sqrt)
  AGPUSIM_WORD(below, floor)
  AGPUSIM_WORD(size, abs)
  AGPUSIM_WORD(sine, sin)
  AGPUSIM_WORD(cosine, cos)
#undef AGPUSIM_WORD
  template <class R, class A>
  static AGPUSIM_FN auto converted(const A& a) {
    return cast<R>(a);
  }
  template <class R, class A>
  static AGPUSIM_FN auto as_bits(const A& a) {
    return bit_cast<R>(a);
  }
};

/// What they mean for scalars.
struct PlainCpp {
  template <class A, class B>
  static AGPUSIM_FN auto smaller(A a, B b) {
    return b < a ? b : a;
  }
  template <class A, class B>
  static AGPUSIM_FN auto larger(A a, B b) {
    return a < b ? b : a;
  }
  template <class A, class B>
  static AGPUSIM_FN auto choose(bool condition, A a, B b) {
    return condition ? a : b;
  }
  template <class A, class B, class C>
  static AGPUSIM_FN auto fused(A a, B b, C c) {
    using T = decltype(a * b + c);
    return std::fma(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
  }
  template <class R, class A>
  static AGPUSIM_FN R converted(A a) {
    return static_cast<R>(a);
  }
  template <class A>
  static AGPUSIM_FN std::int32_t ones(A a) {
    std::int32_t count = 0;
    for (; a != 0; a &= a - 1) ++count;
    return count;
  }
  template <class A>
  static AGPUSIM_FN std::int32_t highest(A a) {
    std::int32_t bit = -1;
    for (; a != 0; a >>= 1) ++bit;
    return bit;
  }
  template <class A>
  static AGPUSIM_FN A root(A a) {
    return std::sqrt(a);
  }
  template <class A>
  static AGPUSIM_FN A below(A a) {
    return std::floor(a);
  }
  template <class A>
  static AGPUSIM_FN A size(A a) {
    return a < 0 || (a == 0 && std::is_floating_point_v<A>) ? 0 - a : a;
  }
  template <class R, class A>
  static AGPUSIM_FN R as_bits(A a) {
    union {
      A from;
      R to;
    } bits{a};
    return bits.to;
  }
  static AGPUSIM_FN double sine(double a) { return std::sin(a); }
  static AGPUSIM_FN double cosine(double a) { return std::cos(a); }
};

/// C++ computes with two of T in T.
template <class T>
inline constexpr bool has_arithmetic = std::is_same_v<decltype(T{} + T{}), T>;

#define AGPUSIM_ROW(expression) put(#expression, expression)
#define AGPUSIM_ROWS(op, a, b, u) \
  AGPUSIM_ROW(a op b);            \
  AGPUSIM_ROW(a op u);            \
  AGPUSIM_ROW(u op a)

/// The operators and functions of lanes of type T beside a uniform S. Arithmetic of `a` and `b`
/// stays in the word where T is signed; `c` and `d` are any values.
template <class T, class S>
struct Operations {
  S u;

  template <class Form, class X, class Put>
  AGPUSIM_FN void operator()(Form, const X& a, const X& b, const X& c, const X& d, Put& put) const {
    if constexpr (has_arithmetic<T>) {
      AGPUSIM_ROWS(+, a, b, u);
      AGPUSIM_ROWS(-, a, b, u);
      AGPUSIM_ROWS(*, a, b, u);
      AGPUSIM_ROW(a / u);
    }
    if constexpr (std::is_floating_point_v<T>) {
      AGPUSIM_ROW(a / b);
      AGPUSIM_ROW(u / a);
      AGPUSIM_ROW(Form::fused(a, b, c));
      AGPUSIM_ROW(Form::fused(u, a, b));
      AGPUSIM_ROW(Form::fused(a, u, b));
      AGPUSIM_ROW(Form::fused(a, b, u));
      AGPUSIM_ROW(Form::fused(a, u, u));
      AGPUSIM_ROW(Form::root(c));
      AGPUSIM_ROW(Form::below(c));
      AGPUSIM_ROW(Form::size(c));
      using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::int64_t>;
      AGPUSIM_ROW(Form::template as_bits<Bits>(a));
      AGPUSIM_ROW(Form::template as_bits<T>(Form::template as_bits<Bits>(c)));
    } else if constexpr (has_arithmetic<T>) {
      AGPUSIM_ROW(a % u);
      AGPUSIM_ROWS(&, c, d, u);
      AGPUSIM_ROWS(|, c, d, u);
      AGPUSIM_ROWS(^, c, d, u);
      shifts(Form(), c, d, put);
      if constexpr (std::is_signed_v<T>) AGPUSIM_ROW(Form::size(a));
      if constexpr (std::is_unsigned_v<T>) {
        AGPUSIM_ROW(Form::ones(c));
        AGPUSIM_ROW(Form::highest(c));
      }
    }
    AGPUSIM_ROWS(<, c, d, u);
    AGPUSIM_ROWS(<=, c, d, u);
    AGPUSIM_ROWS(>, c, d, u);
    AGPUSIM_ROWS(>=, c, d, u);
    AGPUSIM_ROWS(==, c, d, u);
    AGPUSIM_ROWS(!=, c, d, u);
    AGPUSIM_ROW(Form::smaller(c, d));
    AGPUSIM_ROW(Form::smaller(c, u));
    AGPUSIM_ROW(Form::smaller(u, c));
    AGPUSIM_ROW(Form::larger(c, d));
    AGPUSIM_ROW(Form::larger(c, u));
    AGPUSIM_ROW(Form::larger(u, c));
    AGPUSIM_ROW(Form::choose(c < d, c, d));
    AGPUSIM_ROW(Form::choose(c < d, c, u));
    AGPUSIM_ROW(Form::choose(c < d, u, c));
    AGPUSIM_ROW(Form::choose(c < d, u, u));
    AGPUSIM_ROW(Form::choose(c < d, 1, u));
  }

  /// The count of a shift has a type of its own, and the result the type of the left operand.
  template <class Form, class X, class Put>
  AGPUSIM_FN void shifts(Form, const X& c, const X& d, Put& put) const {
    constexpr int last = std::numeric_limits<std::make_unsigned_t<T>>::digits - 1;
    const auto count = Form::template converted<std::int32_t>(d & last);
    const auto few = Form::template converted<std::uint8_t>(d & 31);
    AGPUSIM_ROW(c << count);
    AGPUSIM_ROW(c >> count);
    AGPUSIM_ROW(c << few);
    AGPUSIM_ROW(c >> few);
    AGPUSIM_ROW(c << (d & last));
    AGPUSIM_ROW(c << 5);
    AGPUSIM_ROW(c >> std::uint64_t{5});
    AGPUSIM_ROW(c << last);
    AGPUSIM_ROW(c >> last);
    AGPUSIM_ROW(u << few);
    AGPUSIM_ROW(u >> few);
    AGPUSIM_ROW(std::uint64_t{1} << count);
  }
};

/// The operators and functions of truth values.
struct Truths {
  bool u;

  template <class Form, class X, class Put>
  AGPUSIM_FN void operator()(Form, const X& a, const X& b, const X& c, const X& d, Put& put) const {
    const auto p = a < b;
    const auto q = c < d;
    AGPUSIM_ROWS(&&, p, q, u);
    AGPUSIM_ROWS(||, p, q, u);
    AGPUSIM_ROWS(&, p, q, u);
    AGPUSIM_ROWS(|, p, q, u);
    AGPUSIM_ROWS(^, p, q, u);
    AGPUSIM_ROWS(==, p, q, u);
    AGPUSIM_ROWS(!=, p, q, u);
    AGPUSIM_ROW(!p);
    AGPUSIM_ROW((p & q) == (a < c));
    AGPUSIM_ROW(Form::choose(p, q, u));
    AGPUSIM_ROW(Form::choose(p | q, true, q));
    AGPUSIM_ROW(Form::template converted<std::int32_t>(p));
    AGPUSIM_ROW(Form::template converted<float>(p ^ q));
  }
};

/// Conversions of lanes of type T: of any value that C++ defines them for.
template <class T>
struct Casts {
  template <class Form, class X, class Put>
  AGPUSIM_FN void operator()(Form, const X& a, const X&, const X& c, const X&, Put& put) const {
    const X& x = std::is_floating_point_v<T> ? a : c;
    AGPUSIM_ROW(Form::template converted<std::int8_t>(x));
    AGPUSIM_ROW(Form::template converted<std::uint8_t>(x));
    AGPUSIM_ROW(Form::template converted<std::int16_t>(x));
    AGPUSIM_ROW(Form::template converted<std::uint16_t>(x));
    AGPUSIM_ROW(Form::template converted<std::int32_t>(x));
    AGPUSIM_ROW(Form::template converted<std::uint32_t>(x));
    AGPUSIM_ROW(Form::template converted<std::int64_t>(x));
    AGPUSIM_ROW(Form::template converted<std::uint64_t>(x));
    AGPUSIM_ROW(Form::template converted<float>(c));
    AGPUSIM_ROW(Form::template converted<double>(c));
    AGPUSIM_ROW(Form::template converted<bool>(c));
  }
};

/// Functions that are the same bits everywhere, of lanes of float.
struct Elementary {
  template <class Form, class X, class Put>
  AGPUSIM_FN void operator()(Form, const X& a, const X& b, const X& c, const X&, Put& put) const {
    AGPUSIM_ROW(exp(a));
    AGPUSIM_ROW(exp(b * 0.01F));
    AGPUSIM_ROW(exp(c));
    AGPUSIM_ROW(log(a));
    AGPUSIM_ROW(log(c));
    AGPUSIM_ROW(tanh(a - 60));
    AGPUSIM_ROW(tanh(c));
    AGPUSIM_ROW(pow(a, b * 0.001F));
    AGPUSIM_ROW(pow(a, 2.5F));
    AGPUSIM_ROW(pow(c, 0.0F));
    AGPUSIM_ROW(pow(c, c));
    AGPUSIM_ROW(sin(b));
    AGPUSIM_ROW(cos(b));
    AGPUSIM_ROW(rsqrt(c));
  }
};

/// Functions whose last digits are the library's own.
struct Trigonometry {
  template <class Form, class X, class Put>
  AGPUSIM_FN void operator()(Form, const X& a, const X&, const X&, const X&, Put& put) const {
    AGPUSIM_ROW(Form::sine(a));
    AGPUSIM_ROW(Form::cosine(a));
  }
};

#undef AGPUSIM_ROWS
#undef AGPUSIM_ROW

/// Where a kernel puts the rows of a table: integers and truth values in one array and
/// floating-point numbers in another, `stride` elements from row to row.
template <class Lane, class Integers, class Reals>
struct KernelRows {
  Lane lane;
  Integers integers;
  Reals reals;
  std::int64_t stride;
  std::int64_t integer_rows = 0;
  std::int64_t real_rows = 0;

  template <class X>
  AGPUSIM_FN void operator()(const char*, const X& x) {
    if constexpr (std::is_floating_point_v<typename ValueOf<X>::type>) {
      reals.from(stride * real_rows++).write(lane, cast<double>(x));
    } else {
      integers.from(stride * integer_rows++).write(lane, cast<std::int64_t>(x));
    }
  }
};

/// One row of a table for one lane in plain C++.
struct Row {
  const char* expression;
  bool is_real;
  std::int64_t integer;
  double real;
};

struct PlainRows {
  Row* rows;
  std::int32_t size = 0;

  template <class X>
  AGPUSIM_FN void operator()(const char* expression, X x) {
    if constexpr (std::is_floating_point_v<X>) {
      rows[size++] = {expression, true, 0, static_cast<double>(x)};
    } else {
      rows[size++] = {expression, false, static_cast<std::int64_t>(x), 0};
    }
  }
};

/// A table as a kernel: `in` holds a, b, c and d, n elements each.
template <class Table>
struct TableKernel {
  static constexpr const char* name = "table";
  Table table;
  std::int64_t n;

  template <class Mp, class In, class Integers, class Reals>
  AGPUSIM_FN void operator()(Mp& mp, In in, Integers integers, Reals reals) const {
    const std::int64_t first = mp.task() * mp.width();
    const auto lane = mp.lane();
    using Lane = typename Mp::template Lane<std::int32_t>;
    KernelRows<Lane, Integers, Reals> rows{lane, integers.from(first), reals.from(first), n};
    table(Words(), in.from(first).read(lane), in.from(n + first).read(lane),
          in.from(2 * n + first).read(lane), in.from(3 * n + first).read(lane), rows);
  }
};

}  // namespace agpusim::test

#pragma GCC diagnostic pop
