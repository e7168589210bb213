#include <cmath>
#include <string_view>
#include <type_traits>

#include "agpusim/ptx/run/atomics.hpp"
#include "agpusim/ptx/run/comparisons.hpp"
#include "agpusim/ptx/run/lanes.hpp"
#include "agpusim/ptx/run/rounding.hpp"

// Arithmetic of f16 and bf16, one or two in a register. It is done on floats, and rounded once
// more: that is exact, since a float has twice the bits of a half and two more.
namespace agpusim::ptx {
namespace {

struct Add {
  static float of(float a, float b) { return a + b; }
};
struct Subtract {
  static float of(float a, float b) { return a - b; }
};
struct Multiply {
  static float of(float a, float b) { return a * b; }
};
struct MultiplyAdd {
  static float of(float a, float b, float c) {
    return to_float<Round::odd>(odd_sum<Round::nearest>(double{a} * b, c));
  }
};
struct Negate {
  static float of(float a) { return -a; }
};
struct Absolute {
  static float of(float a) { return std::fabs(a); }
};
template <bool greatest, bool keeps_nan, bool signs>
struct Extreme {
  static float of(float a, float b) {
    return Extremum<greatest, keeps_nan, signs>::template of<Round::nearest>(a, b);
  }
};
template <float (*function)(float)>
struct Function {
  static float of(float a) { return function(a); }
};

enum class Limit { none, saturated, rectified };

/// F on numbers of type H.
template <class F, class H, bool flushes, Limit limit>
struct One {
  template <class... T>
  static u16 of(T... operands) {
    float value = F::of(widened(flushes ? flushed(H{operands}) : H{operands})...);
    if (limit == Limit::saturated) value = saturated(value);
    if (limit == Limit::rectified) value = rectified(value);
    const H half = half_of<H>(value);
    return static_cast<u16>(flushes ? flushed(half) : half);
  }
};
/// F on each half of a register.
template <class F>
struct Two {
  template <class... T>
  static u32 of(T... operands) {
    const u32 low = F::of(static_cast<u16>(operands)...);
    return low | u32{F::of(static_cast<u16>(operands >> 16)...)} << 16;
  }
};

bool is_packed(Type type) { return type == Type::f16x2 || type == Type::bf16x2; }
/// f.operator()<H>() for the type of a half, or of the halves of a register.
template <class F>
Execute with_half(Type type, F f) {
  const bool is_f16 = type == Type::f16 || type == Type::f16x2;
  return is_f16 ? f.template operator()<F16>() : f.template operator()<BF16>();
}
template <class F, int operands>
Execute lanes_of(bool packed) {
  if constexpr (operands == 1) {
    return packed ? &each_lane<Two<F>, u32, u32> : &each_lane<F, u16, u16>;
  } else if constexpr (operands == 2) {
    return packed ? &each_lane<Two<F>, u32, u32, u32> : &each_lane<F, u16, u16, u16>;
  } else {
    return packed ? &each_lane<Two<F>, u32, u32, u32, u32> : &each_lane<F, u16, u16, u16, u16>;
  }
}
template <class F, int operands, bool limits = operands != 1>
Execute halves(const Spelling& spelling) {
  return with_half(spelling.type[0], [&]<class H>() -> Execute {
    return with_flag(spelling.has("ftz"), [&]<bool flushes>() -> Execute {
      const bool packed = is_packed(spelling.type[0]);
      // With bf16 only ex2 flushes, and nothing saturates.
      constexpr bool flushes_some = flushes && (std::is_same_v<H, F16> || operands == 1);
      if constexpr (limits && std::is_same_v<H, F16>) {
        if (spelling.has("sat")) {
          return lanes_of<One<F, H, flushes_some, Limit::saturated>, operands>(packed);
        }
      }
      if constexpr (limits && operands == 3) {
        if (spelling.has("relu")) {
          return lanes_of<One<F, H, flushes_some, Limit::rectified>, operands>(packed);
        }
      }
      return lanes_of<One<F, H, flushes_some, Limit::none>, operands>(packed);
    });
  });
}
template <bool greatest>
Execute extremum(const Spelling& spelling) {
  return with_flag(spelling.has("NaN"), [&]<bool keeps_nan>() -> Execute {
    return with_flag(spelling.has("xorsign"), [&]<bool signs>() -> Execute {
      return halves<Extreme<greatest, keeps_nan, signs>, 2, false>(spelling);
    });
  });
}

// --- comparisons

/// Half number `part` of each lane's register as a float.
template <class H, bool flushes, class Register>
void widen_row(Warp& warp, Place place, u32 part, float* to) {
  const Register* const from = warp.row<Register>(place);
  for (u32 l = 0; l < warp_lanes; ++l) {
    const H half{static_cast<u16>(from[l] >> 16 * part)};
    to[l] = widened(flushes ? flushed(half) : half);
  }
}
using Widen = void (*)(Warp&, Place, u32, float*);

/// The lanes whose operands at places 2 and 3 compare so. Inlined into each of its callers it would
/// take a minute to compile.
template <Comparison how>
[[gnu::noinline]] Lanes compare_halves(Warp& warp, const Instruction& i, Widen widen, u32 part) {
  float a[warp_lanes];
  float b[warp_lanes];
  widen(warp, i.place[2], part, a);
  widen(warp, i.place[3], part, b);
  return lanes_where([&](u32 l) { return compare<how>(a[l], b[l]); });
}
/// setp: the second predicate is that of the opposite comparison, or of the upper halves.
template <Comparison how, Combine combine, Widen widen, bool packed>
void set_predicates(Warp& warp, const Instruction& i) {
  const Lanes low = compare_halves<how>(warp, i, widen, 0);
  const Lanes high = packed ? compare_halves<how>(warp, i, widen, 1) : ~low;
  const Lanes first = combined<combine>(warp, i, low);
  const Lanes second = combined<combine>(warp, i, high);
  warp.set_predicate(i.place[0], first);
  warp.set_predicate(i.place[1], second);
}
/// The number of the row for each half of a register whose bit is set, 0 for others.
template <class D>
[[gnu::noinline]] void write_truth(Warp& warp, const Instruction& i, Lanes low, Lanes high) {
  const auto truth = static_cast<u32>(i.immediate);
  D* const to = warp.row<D>(i.place[0]);
  for (u32 l = 0; l < warp_lanes; ++l) {
    const u32 value = ((low >> l & 1) != 0 ? truth : 0) | ((high >> l & 1) != 0 ? truth << 16 : 0);
    if ((warp.active >> l & 1) != 0) to[l] = static_cast<D>(value);
  }
}
template <Comparison how, Combine combine, Widen widen, bool packed, class D>
void set_register(Warp& warp, const Instruction& i) {
  const Lanes low = combined<combine>(warp, i, compare_halves<how>(warp, i, widen, 0));
  const Lanes high =
      packed ? combined<combine>(warp, i, compare_halves<how>(warp, i, widen, 1)) : 0;
  write_truth<D>(warp, i, low, high);
}

enum class Result { predicate, same, wide };  // same: as wide as the operands
template <Result result, Widen widen, bool packed, int how>
Execute choose_combination(const Spelling& spelling) {
  return with_combination(spelling, []<Combine combine>() -> Execute {
    constexpr auto as = static_cast<Comparison>(how);
    if constexpr (result == Result::predicate) {
      return &set_predicates<as, combine, widen, packed>;
    } else {
      using D = std::conditional_t<packed || result == Result::wide, u32, u16>;
      return &set_register<as, combine, widen, packed, D>;
    }
  });
}
template <Result result>
Execute choose_comparison(const Spelling& spelling) {
  const Type type = spelling.type[result == Result::predicate ? 0 : 1];
  return with_half(type, [&]<class H>() -> Execute {
    return with_flag(spelling.has("ftz"), [&]<bool flushes>() -> Execute {
      return with_flag(is_packed(type), [&]<bool packed>() -> Execute {
        constexpr Widen widen = &widen_row<H, flushes, std::conditional_t<packed, u32, u16>>;
        return [&]<int... how>(std::integer_sequence<int, how...>) {
          constexpr Execute (*choose[])(const Spelling&) = {
              &choose_combination<result, widen, packed, how>...};
          return choose[comparison_of(spelling)](spelling);
        }
        (std::make_integer_sequence<int, comparison_count>());
      });
    });
  });
}

// --- atomic operations

Execute choose_atomic_add(const Spelling& spelling) {
  return with_half(spelling.type[0], [&]<class H>() -> Execute {
    using F = One<Add, H, false, Limit::none>;
    if (is_packed(spelling.type[0])) return &atomic<InMemory<Two<F>>, u32>;
    return &atomic<InMemory<F>, u16>;
  });
}

constexpr auto arithmetic = Bill::arithmetic;
constexpr auto floating = Op::floating;
constexpr auto memory = Bill::memory;
constexpr std::string_view f16_result = "rn? ftz? sat? f16|f16x2";
constexpr std::string_view bf16_result = "rn? bf16|bf16x2";
constexpr std::string_view f16_extremum = "ftz? NaN? f16|f16x2";
constexpr std::string_view f16_signed_extremum = "ftz? NaN? xorsign abs f16|f16x2";
constexpr std::string_view bf16_extremum = "NaN? bf16|bf16x2";
constexpr std::string_view bf16_signed_extremum = "NaN? xorsign abs bf16|bf16x2";

constexpr Opcode rows[] = {
    {"add", f16_result, "Dtt", arithmetic, floating, halves<Add, 2>},
    {"add", bf16_result, "Dtt", arithmetic, floating, halves<Add, 2>},
    {"sub", f16_result, "Dtt", arithmetic, floating, halves<Subtract, 2>},
    {"sub", bf16_result, "Dtt", arithmetic, floating, halves<Subtract, 2>},
    {"mul", f16_result, "Dtt", arithmetic, floating, halves<Multiply, 2>},
    {"mul", bf16_result, "Dtt", arithmetic, floating, halves<Multiply, 2>},
    {"fma", "rn ftz? sat|relu? f16|f16x2", "Dttt", arithmetic, floating, halves<MultiplyAdd, 3>},
    {"fma", "rn relu? bf16|bf16x2", "Dttt", arithmetic, floating, halves<MultiplyAdd, 3>},
    {"neg", "ftz? f16|f16x2", "Dt", arithmetic, floating, halves<Negate, 1>},
    {"neg", "bf16|bf16x2", "Dt", arithmetic, floating, halves<Negate, 1>},
    {"abs", "ftz? f16|f16x2", "Dt", arithmetic, floating, halves<Absolute, 1>},
    {"abs", "bf16|bf16x2", "Dt", arithmetic, floating, halves<Absolute, 1>},
    {"min", f16_extremum, "Dtt", arithmetic, Op::minimum, extremum<false>},
    {"min", f16_signed_extremum, "Dtt", arithmetic, Op::minimum, extremum<false>},
    {"min", bf16_extremum, "Dtt", arithmetic, Op::minimum, extremum<false>},
    {"min", bf16_signed_extremum, "Dtt", arithmetic, Op::minimum, extremum<false>},
    {"max", f16_extremum, "Dtt", arithmetic, Op::minimum, extremum<true>},
    {"max", f16_signed_extremum, "Dtt", arithmetic, Op::minimum, extremum<true>},
    {"max", bf16_extremum, "Dtt", arithmetic, Op::minimum, extremum<true>},
    {"max", bf16_signed_extremum, "Dtt", arithmetic, Op::minimum, extremum<true>},
    {"ex2", "approx f16|f16x2", "Dt", arithmetic, Op::floating_divide,
     halves<Function<std::exp2>, 1>},
    {"ex2", "approx ftz bf16|bf16x2", "Dt", arithmetic, Op::floating_divide,
     halves<Function<std::exp2>, 1>},
    {"tanh", "approx f16|f16x2|bf16|bf16x2", "Dt", arithmetic, Op::floating_divide,
     halves<Function<std::tanh>, 1>},
    {"setp", AGPUSIM_PTX_COMPARISONS "and|or|xor? ftz? f16|f16x2", "Qtt.p", arithmetic, Op::compare,
     choose_comparison<Result::predicate>},
    {"setp", AGPUSIM_PTX_COMPARISONS "and|or|xor? bf16|bf16x2", "Qtt.p", arithmetic, Op::compare,
     choose_comparison<Result::predicate>},
    {"set", AGPUSIM_PTX_COMPARISONS "and|or|xor? ftz? f16 f16", "Rss.p", arithmetic, Op::compare,
     choose_comparison<Result::same>, 0x3C00},
    {"set", AGPUSIM_PTX_COMPARISONS "and|or|xor? ftz? f16x2 f16x2", "Rss.p", arithmetic,
     Op::compare, choose_comparison<Result::same>, 0x3C00},
    {"set", AGPUSIM_PTX_COMPARISONS "and|or|xor? bf16 bf16", "Rss.p", arithmetic, Op::compare,
     choose_comparison<Result::same>, 0x3F80},
    {"set", AGPUSIM_PTX_COMPARISONS "and|or|xor? bf16x2 bf16x2", "Rss.p", arithmetic, Op::compare,
     choose_comparison<Result::same>, 0x3F80},
    {"set", AGPUSIM_PTX_COMPARISONS "and|or|xor? ftz? u16|s16 f16|bf16", "Rss.p", arithmetic,
     Op::compare, choose_comparison<Result::same>, 0xFFFF},
    {"set", AGPUSIM_PTX_COMPARISONS "and|or|xor? ftz? u32|s32 f16|bf16", "Rss.p", arithmetic,
     Op::compare, choose_comparison<Result::wide>, 0xFFFFFFFF},
    {"set", AGPUSIM_PTX_COMPARISONS "and|or|xor? ftz? u32|s32 f16x2|bf16x2", "Rss.p", arithmetic,
     Op::compare, choose_comparison<Result::same>, 0xFFFF},
    {"atom", AGPUSIM_PTX_ATOMIC "add noftz f16|f16x2|bf16|bf16x2", "Dat", memory, Op::add,
     choose_atomic_add},
    {"red", AGPUSIM_PTX_ATOMIC "add noftz f16|f16x2|bf16|bf16x2", "at", memory, Op::add,
     choose_atomic_add},
};

}  // namespace

std::span<const Opcode> half_rows() { return rows; }

}  // namespace agpusim::ptx
