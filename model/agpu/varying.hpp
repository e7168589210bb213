#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "agpusim/model/agpu/lane_context.hpp"

namespace agpusim {

/// A lane value is an integer, a floating-point number or a truth value of at most 8 bytes.
template <class T>
concept LaneScalar = std::is_arithmetic_v<T> && sizeof(T) <= 8;

/// One value per lane. Declaring one is free; every operator is one issued instruction; assignment
/// is free (the instruction that produced the value is the predicated one) and changes active lanes
/// only.
template <LaneScalar T>
class Varying {
 public:
  using value_type = T;
  using Storage = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

  /// Undefined lanes; for results that are filled at once.
  explicit Varying(LaneContext& context)
      : context_(&context), buffer_(context.pool().take()), id_(context.next_value()) {}
  Varying(const Varying& other) : Varying(*other.context_) {
    read_ = other.read_;
    std::memcpy(buffer_, other.buffer_, bytes());
  }
  Varying(Varying&& other) noexcept
      : context_(other.context_),
        buffer_(std::exchange(other.buffer_, nullptr)),
        id_(other.id_),
        read_(other.read_) {}
  Varying& operator=(const Varying& other) {
    if (this != &other) assign(other);
    return *this;
  }
  Varying& operator=(Varying&& other) noexcept {
    if (context_->full()) {
      std::swap(buffer_, other.buffer_);
      std::swap(id_, other.id_);
      std::swap(read_, other.read_);
    } else {
      assign(other);
    }
    return *this;
  }
  ~Varying() {
    if (buffer_ != nullptr) context_->pool().give(buffer_);
  }

  [[nodiscard]] LaneContext& context() const { return *context_; }
  /// Tells the machine that an instruction needs this value now.
  void use() const { context_->use(read_); }
  /// Marks the value as the result of global read number `read`.
  void arrives_with(std::uint64_t read) { read_ = read; }
  /// Number of this value; it changes with the lanes.
  [[nodiscard]] std::uint64_t id() const { return id_; }
  [[nodiscard]] Storage* data() {
    return std::assume_aligned<64>(reinterpret_cast<Storage*>(buffer_));
  }
  [[nodiscard]] const Storage* data() const {
    return std::assume_aligned<64>(reinterpret_cast<const Storage*>(buffer_));
  }

 private:
  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(context_->padded()) * sizeof(Storage);
  }
  void assign(const Varying& other) noexcept {
    id_ = context_->next_value();
    read_ = std::max(read_, other.read_);
    const std::uint8_t* const mask = context_->mask().bytes;
    Storage* const to = data();
    const Storage* const from = other.data();
    for (std::int32_t i = 0, n = context_->padded(); i < n; ++i)
      to[i] = mask[i] != 0 ? from[i] : to[i];
  }

  LaneContext* context_;
  std::byte* buffer_;
  std::uint64_t id_;
  std::uint64_t read_ = 0;  // the global read it comes from, 0 for none
};

namespace detail {

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
template <class T>
using lane_t = typename LaneOf<std::remove_cvref_t<T>>::type;
template <class T>
inline constexpr bool is_varying = LaneOf<std::remove_cvref_t<T>>::varying;

/// Two operands of which one at least varies; a uniform one must fit into the varying one's type.
template <class A, class B>
concept Operands = (is_varying<A> && is_varying<B> && std::is_same_v<lane_t<A>, lane_t<B>>) ||
                   (is_varying<A> && !is_varying<B> && std::is_arithmetic_v<B> &&
                    sizeof(B) <= sizeof(lane_t<A>)) ||
                   (!is_varying<A> && is_varying<B> && std::is_arithmetic_v<A> &&
                    sizeof(A) <= sizeof(lane_t<B>));

template <class A, class B>
using operand_t = lane_t<std::conditional_t<is_varying<A>, A, B>>;

template <class A, class B>
LaneContext& context_of(const A& a, const B& b) {
  if constexpr (is_varying<A>) {
    return a.context();
  } else {
    return b.context();
  }
}

/// A uniform operand, indexed like a varying one.
template <class T>
struct Broadcast {
  T value;
  T operator[](std::int32_t) const { return value; }
};

/// The lanes of an operand that is used now.
template <class T, class X>
auto source(const X& x) {
  if constexpr (is_varying<X>) {
    x.use();
    return x.data();
  } else {
    return Broadcast<T>{static_cast<T>(x)};
  }
}

struct NeverOverflows {
  template <class A, class B>
  bool operator()(A, B) const {
    return false;
  }
};

/// Names the first active lane whose signed result left the word (theory A20), if there is one.
template <class T, class A, class B, class F>
void check_overflow(const A& a, const B& b, F overflows) {
  LaneContext& context = context_of(a, b);
  if (!context.checks()) return;
  const auto x = source<T>(a);
  const auto y = source<T>(b);
  for (std::int32_t i = 0; i < context.width(); ++i) {
    if (context.mask().bytes[i] != 0 && overflows(x[i], y[i])) {
      context.fail("word overflow: a signed result does not fit its type", i);
    }
  }
}

/// out[i] = f(a[i], b[i]) over all lanes, active or not: an inactive lane's value is never used.
template <class R, class A, class B, class F, class Overflows = NeverOverflows>
Varying<R> lanewise(const A& a, const B& b, F f, Overflows overflows = {}) {
  LaneContext& context = context_of(a, b);
  context.count_alu();
  Varying<R> result(context);
  using T = operand_t<A, B>;
  const auto x = source<T>(a);
  const auto y = source<T>(b);
  auto* const __restrict out = result.data();
  const std::int32_t n = context.padded() / 16 * 16;  // a multiple of every vector length
  std::uint32_t overflow = 0;
#pragma GCC ivdep
  for (std::int32_t i = 0; i < n; ++i) {
    out[i] = f(x[i], y[i]);
    overflow |= overflows(x[i], y[i]) ? 1U : 0U;
  }
  if (overflow != 0) check_overflow<T>(a, b, overflows);
  return result;
}

template <class T>
using wrapping_t = typename std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool>,
                                               std::make_unsigned<T>, std::type_identity<T>>::type;

/// Arithmetic that is defined for every pair of values: integers wrap.
template <class T, class F>
T wrapping(T a, T b, F f) {
  using U = wrapping_t<T>;
  return static_cast<T>(f(static_cast<U>(a), static_cast<U>(b)));
}

template <class T>
bool product_overflows(T a, T b) {
  if constexpr (sizeof(T) <= 4) {
    const auto product = static_cast<std::int64_t>(a) * static_cast<std::int64_t>(b);
    return product != static_cast<T>(product);
  } else {
    T product;
    return __builtin_mul_overflow(a, b, &product);
  }
}

}  // namespace detail

namespace detail {

template <class T>
inline constexpr bool can_overflow = std::is_signed_v<T>&& std::is_integral_v<T>;

}  // namespace detail

template <class A, class B>
requires detail::Operands<A, B>
auto operator+(const A& a, const B& b) {
  using T = detail::operand_t<A, B>;
  const auto add = [](T x, T y) {
    return detail::wrapping(x, y, [](auto p, auto q) { return p + q; });
  };
  if constexpr (detail::can_overflow<T>) {
    return detail::lanewise<T>(a, b, add, [add](T x, T y) {
      const T sum = add(x, y);
      return ((x ^ sum) & (y ^ sum)) < 0;
    });
  } else {
    return detail::lanewise<T>(a, b, add);
  }
}

template <class A, class B>
requires detail::Operands<A, B>
auto operator-(const A& a, const B& b) {
  using T = detail::operand_t<A, B>;
  const auto subtract = [](T x, T y) {
    return detail::wrapping(x, y, [](auto p, auto q) { return p - q; });
  };
  if constexpr (detail::can_overflow<T>) {
    return detail::lanewise<T>(
        a, b, subtract, [subtract](T x, T y) { return ((x ^ y) & (x ^ subtract(x, y))) < 0; });
  } else {
    return detail::lanewise<T>(a, b, subtract);
  }
}

template <class A, class B>
requires detail::Operands<A, B>
auto operator*(const A& a, const B& b) {
  using T = detail::operand_t<A, B>;
  const auto multiply = [](T x, T y) {
    return detail::wrapping(x, y, [](auto p, auto q) { return p * q; });
  };
  if constexpr (detail::can_overflow<T>) {
    return detail::lanewise<T>(a, b, multiply,
                               [](T x, T y) { return detail::product_overflows(x, y); });
  } else {
    return detail::lanewise<T>(a, b, multiply);
  }
}

/// Division of integers by a uniform divisor other than 0 (a defect of the kernel otherwise).
template <class T, class S>
requires detail::Operands<Varying<T>, S> &&(!detail::is_varying<S>)Varying<T> operator/(
    const Varying<T>& a, const S& b) {
  if (std::is_integral_v<T> && b == 0) a.context().fail("division by zero", 0);
  return detail::lanewise<T>(a, b, [](T x, T y) { return static_cast<T>(x / y); });
}

/// Division of floating-point numbers.
template <class T>
requires std::is_floating_point_v<T> Varying<T>
operator/(const Varying<T>& a, const Varying<T>& b) {
  return detail::lanewise<T>(a, b, [](T x, T y) { return x / y; });
}

template <class T, class S>
requires detail::Operands<Varying<T>, S> &&
    (!detail::is_varying<S>)&&std::is_integral_v<T> Varying<T>
    operator%(const Varying<T>& a, const S& b) {
  if (b == 0) a.context().fail("division by zero", 0);
  return detail::lanewise<T>(a, b, [](T x, T y) { return static_cast<T>(x % y); });
}

#define AGPUSIM_BITWISE(op)                                                            \
  template <class A, class B>                                                          \
  requires detail::Operands<A, B> && std::is_integral_v<detail::operand_t<A, B>>       \
  auto operator op(const A& a, const B& b) {                                           \
    using T = detail::operand_t<A, B>;                                                 \
    return detail::lanewise<T>(a, b, [](T x, T y) { return static_cast<T>(x op y); }); \
  }
AGPUSIM_BITWISE(&)
AGPUSIM_BITWISE(|)
AGPUSIM_BITWISE(^)
AGPUSIM_BITWISE(<<)
AGPUSIM_BITWISE(>>)
#undef AGPUSIM_BITWISE

#define AGPUSIM_COMPARISON(op)                                                                 \
  template <class A, class B>                                                                  \
  requires detail::Operands<A, B> Varying<bool>                                                \
  operator op(const A& a, const B& b) {                                                        \
    using T = detail::operand_t<A, B>;                                                         \
    return detail::lanewise<bool>(a, b,                                                        \
                                  [](T x, T y) { return static_cast<std::uint8_t>(x op y); }); \
  }
AGPUSIM_COMPARISON(<)
AGPUSIM_COMPARISON(<=)
AGPUSIM_COMPARISON(>)
AGPUSIM_COMPARISON(>=)
AGPUSIM_COMPARISON(==)
AGPUSIM_COMPARISON(!=)
#undef AGPUSIM_COMPARISON

inline Varying<bool> operator&&(const Varying<bool>& a, const Varying<bool>& b) { return a & b; }
inline Varying<bool> operator||(const Varying<bool>& a, const Varying<bool>& b) { return a | b; }
inline Varying<bool> operator!(const Varying<bool>& a) { return a ^ true; }

template <class A, class B>
requires detail::Operands<A, B>
auto min(const A& a, const B& b) {
  using T = detail::operand_t<A, B>;
  return detail::lanewise<T>(a, b, [](T x, T y) { return y < x ? y : x; });
}

template <class A, class B>
requires detail::Operands<A, B>
auto max(const A& a, const B& b) {
  using T = detail::operand_t<A, B>;
  return detail::lanewise<T>(a, b, [](T x, T y) { return x < y ? y : x; });
}

/// a·b + c, rounded once: one instruction.
template <class T>
requires std::is_floating_point_v<T> Varying<T> fma(const Varying<T>& a, const Varying<T>& b,
                                                    const Varying<T>& c) {
  LaneContext& context = a.context();
  a.use();
  b.use();
  c.use();
  context.count_alu();
  Varying<T> result(context);
  for (std::int32_t i = 0, n = context.padded(); i < n; ++i) {
    result.data()[i] = std::fma(a.data()[i], b.data()[i], c.data()[i]);
  }
  return result;
}

/// Lane by lane `a` where `condition`, else `b`: one instruction, no divergence.
template <class T>
Varying<T> select(const Varying<bool>& condition, const Varying<T>& a, const Varying<T>& b) {
  LaneContext& context = a.context();
  condition.use();
  a.use();
  b.use();
  context.count_alu();
  Varying<T> result(context);
  auto* const out = result.data();
  for (std::int32_t i = 0, n = context.padded(); i < n; ++i) {
    out[i] = condition.data()[i] != 0 ? a.data()[i] : b.data()[i];
  }
  return result;
}

/// Conversion of the lane type: one instruction.
template <LaneScalar R, class T>
Varying<R> cast(const Varying<T>& a) {
  a.use();
  a.context().count_alu();
  Varying<R> result(a.context());
  auto* const out = result.data();
  for (std::int32_t i = 0, n = a.context().padded(); i < n; ++i) {
    out[i] = static_cast<typename Varying<R>::Storage>(a.data()[i]);
  }
  return result;
}

}  // namespace agpusim
