#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "agpusim/ptx/run/comparisons.hpp"
#include "agpusim/ptx/run/functions.hpp"
#include "agpusim/ptx/run/rounding.hpp"

// Logic, shifts, fields of bits, comparisons, selections and moves.
namespace agpusim::ptx {
namespace {

struct Not {
  template <class T>
  static T of(T a) {
    return static_cast<T>(~a);
  }
};
struct IsZero {
  template <class T>
  static T of(T a) {
    return a == 0 ? 1 : 0;
  }
};
/// Shifts by as many bits as there are, or more, leave nothing but the sign.
struct ShiftLeft {
  template <class T>
  static T of(T a, u32 by) {
    return by < 8 * sizeof(T) ? static_cast<T>(a << by) : T{0};
  }
};
struct ShiftRight {
  template <class T>
  static T of(T a, u32 by) {
    constexpr u32 bits = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (by < bits ? by : bits - 1));
    return by < bits ? static_cast<T>(a >> by) : T{0};
  }
};
struct Ones {
  template <class T>
  static u32 of(T a) {
    return static_cast<u32>(std::popcount(a));
  }
};
struct LeadingZeros {
  template <class T>
  static u32 of(T a) {
    return static_cast<u32>(std::countl_zero(a));
  }
};
struct Reverse {
  template <class T>
  static T of(T a) {
    T result = 0;
    for (u32 i = 0; i < 8 * sizeof(T); ++i) {
      result = static_cast<T>(result | (a >> i & 1) << (8 * sizeof(T) - 1 - i));
    }
    return result;
  }
};
/// The highest bit that differs from the sign; all ones where there is none.
/// fns: where the n-th set bit of a is from bit b on, downwards for n < 0; for 0 bit b itself.
struct FindNthSet {
  static u32 of(u32 a, u32 b, s32 n) {
    const s32 step = n < 0 ? -1 : 1;
    s64 left = n == 0 ? 1 : std::abs(s64{n});
    for (s64 at = b; at >= 0 && at < 32; at += step) {
      if ((a >> at & 1) != 0 && --left == 0) return static_cast<u32>(at);
      if (n == 0) break;
    }
    return ~0U;
  }
};
/// szext: the low b bits of a, with their sign for s32.
template <bool wraps>
struct Extend {
  template <class T>
  static T of(T a, u32 b) {
    const u32 bits = wraps ? b & 31 : std::min(b, 32U);
    if (bits == 0) return 0;
    return static_cast<T>(static_cast<T>(static_cast<u32>(a) << (32 - bits)) >> (32 - bits));
  }
};
template <bool shift_amount>
struct FindHighest {
  template <class T>
  static u32 of(T a) {
    using U = std::make_unsigned_t<T>;
    auto bits = static_cast<U>(a);
    if constexpr (std::is_signed_v<T>) bits = static_cast<U>(a < 0 ? ~a : a);
    if (bits == 0) return ~u32{0};
    const auto left = static_cast<u32>(std::countl_zero(bits));
    return shift_amount ? left : 8 * sizeof(T) - 1 - left;
  }
};
/// Position and length of a field are those of the operand's lowest 8 bits.
struct ExtractField {
  template <class T>
  static T of(T a, u32 at, u32 length) {
    constexpr u32 bits = 8 * sizeof(T);
    using U = std::make_unsigned_t<T>;
    at &= 0xFF;
    length &= 0xFF;
    if (length == 0) return 0;
    U value = at < bits ? static_cast<U>(static_cast<U>(a) >> at) : U{0};
    const bool is_cut = length < bits;
    if (is_cut) value &= static_cast<U>((U{1} << length) - 1);
    if constexpr (std::is_signed_v<T>) {
      const u32 last = at + length - 1;
      const bool negative = (static_cast<U>(a) >> (last < bits ? last : bits - 1) & 1) != 0;
      // What lies above the value's own bits is its sign.
      const u32 own = at < bits ? bits - at : 0;
      const u32 known = length < own ? length : own;
      if (negative && known < bits) value |= static_cast<U>(~U{0} << known);
    }
    return static_cast<T>(value);
  }
};
struct InsertField {
  template <class T>
  static T of(T a, T b, u32 at, u32 length) {
    constexpr u32 bits = 8 * sizeof(T);
    at &= 0xFF;
    length &= 0xFF;
    if (at >= bits || length == 0) return b;
    const T ones = length < bits ? static_cast<T>((T{1} << length) - 1) : static_cast<T>(~T{0});
    const T mask = static_cast<T>(ones << at);
    return static_cast<T>((b & ~mask) | (static_cast<T>(a << at) & mask));
  }
};
template <bool wraps>
struct Mask {
  static u32 of(u32 at, u32 length) {
    if (wraps) {
      at &= 31;
      length &= 31;
    }
    const u64 ones = length >= 32 ? 0xFFFFFFFFU : (u64{1} << length) - 1;
    return at >= 32 ? 0 : static_cast<u32>(ones << at);
  }
};
/// Four bytes of eight, as each four bits of c say.
struct Permute {
  static u32 of(u32 a, u32 b, u32 c) {
    const u64 both = u64{b} << 32 | a;
    u32 result = 0;
    for (u32 i = 0; i < 4; ++i) {
      const u32 select = c >> 4 * i & 0xF;
      u32 byte = static_cast<u32>(both >> 8 * (select & 7)) & 0xFF;
      if ((select & 8) != 0) byte = (byte & 0x80) != 0 ? 0xFF : 0;
      result |= byte << 8 * i;
    }
    return result;
  }
};
/// The modes of prmt that have a name; the selection of byte i by the two lowest bits of c.
enum class PermuteMode { f4e, b4e, rc8, ecl, ecr, rc16 };
template <PermuteMode mode>
struct PermuteBy {
  static u32 of(u32 a, u32 b, u32 c) {
    const u32 n = c & 3;
    u32 select = 0;
    for (u32 i = 0; i < 4; ++i) {
      const u32 byte = mode == PermuteMode::f4e   ? n + i
                       : mode == PermuteMode::b4e ? (n - i) & 7
                       : mode == PermuteMode::rc8 ? n
                       : mode == PermuteMode::ecl ? (i > n ? i : n)
                       : mode == PermuteMode::ecr ? (i < n ? i : n)
                                                  : 2 * (n & 1) + (i & 1);
      select |= byte << 4 * i;
    }
    return Permute::of(a, b, select);
  }
};
template <bool left, bool wraps>
struct Funnel {
  static u32 of(u32 a, u32 b, u32 c) {
    const u32 by = wraps ? c & 31 : (c < 32 ? c : 32);
    const u64 both = u64{b} << 32 | a;
    return left ? static_cast<u32>(both << by >> 32) : static_cast<u32>(both >> by);
  }
};

/// lop3: the bit that each three bits choose of the number.
void logic3(Warp& warp, const Instruction& i) {
  const u32* const a = warp.row<u32>(i.place[1]);
  const u32* const b = warp.row<u32>(i.place[2]);
  const u32* const c = warp.row<u32>(i.place[3]);
  u32* const to = warp.row<u32>(i.place[0]);
  u32 term[8];
  for (u32 t = 0; t < 8; ++t) term[t] = (i.immediate >> t & 1) != 0 ? ~u32{0} : 0;
  for (u32 l = 0; l < warp_lanes; ++l) {
    u32 result = 0;
    for (u32 t = 0; t < 8; ++t) {
      result |= term[t] & ((t & 4) != 0 ? a[l] : ~a[l]) & ((t & 2) != 0 ? b[l] : ~b[l]) &
                ((t & 1) != 0 ? c[l] : ~c[l]);
    }
    to[l] = (warp.active >> l & 1) != 0 ? result : to[l];
  }
}

template <class F>
void predicate_logic(Warp& warp, const Instruction& i) {
  warp.set_predicate(i.place[0], F::of(warp.predicate(i.place[1]), warp.predicate(i.place[2])));
}
void predicate_move(Warp& warp, const Instruction& i) {
  warp.set_predicate(i.place[0], warp.predicate(i.place[1]));
}
void predicate_not(Warp& warp, const Instruction& i) {
  warp.set_predicate(i.place[0], ~warp.predicate(i.place[1]));
}

// --- comparisons

/// Inlined into each of its callers it would take half a minute to compile.
template <Comparison how, class T, bool flushes>
[[gnu::noinline]] Lanes compare_lanes(Warp& warp, const Instruction& i) {
  const T* const a = warp.row<T>(i.place[2]);
  const T* const b = warp.row<T>(i.place[3]);
  return lanes_where([&](u32 l) {
    if constexpr (flushes) return compare<how>(flushed(a[l]), flushed(b[l]));
    return compare<how>(a[l], b[l]);
  });
}
/// setp: place[0] is the result, place[1] that of the opposite comparison.
template <Comparison how, class T, bool flushes, Combine combine>
void set_predicates(Warp& warp, const Instruction& i) {
  const Lanes value = compare_lanes<how, T, flushes>(warp, i);
  const Lanes first = combined<combine>(warp, i, value);
  const Lanes second = combined<combine>(warp, i, ~value);
  warp.set_predicate(i.place[0], first);
  warp.set_predicate(i.place[1], second);
}
/// set: all ones or 1.0 where the comparison holds; place[0] is the result.
template <Comparison how, class T, bool flushes, Combine combine>
void set_register(Warp& warp, const Instruction& i) {
  const Lanes value = combined<combine>(warp, i, compare_lanes<how, T, flushes>(warp, i));
  const u32 truth = static_cast<u32>(i.immediate);
  u32* const to = warp.row<u32>(i.place[0]);
  for (u32 l = 0; l < warp_lanes; ++l) {
    if ((warp.active >> l & 1) != 0) to[l] = (value >> l & 1) != 0 ? truth : 0;
  }
}

template <class T, bool flushes, bool is_set, Comparison how>
Execute choose_combination(const Spelling& spelling) {
  const auto pick = []<Combine combine>() -> Execute {
    if constexpr (is_set) return &set_register<how, T, flushes, combine>;
    return &set_predicates<how, T, flushes, combine>;
  };
  return with_combination(spelling, pick);
}
template <class T, bool flushes, bool is_set, int... how>
Execute choose_among(const Spelling& spelling, int wanted, std::integer_sequence<int, how...>) {
  Execute result = nullptr;
  (void)((how == wanted &&
          (result = choose_combination<T, flushes, is_set, static_cast<Comparison>(how)>(spelling),
           true)) ||
         ...);
  return result;
}
template <bool is_set>
Execute choose_comparison(const Spelling& spelling) {
  const int wanted = comparison_of(spelling);
  const Type type = spelling.type[is_set ? 1 : 0];
  const bool flushes = spelling.has("ftz");
  return for_type<u16, u32, u64, s16, s32, s64, float, double>(type, [&]<class T>() -> Execute {
    if constexpr (std::is_floating_point_v<T>) {
      constexpr auto all = std::make_integer_sequence<int, comparison_count>();
      if constexpr (std::is_same_v<T, float>) {
        if (flushes) return choose_among<T, true, is_set>(spelling, wanted, all);
      }
      return choose_among<T, false, is_set>(spelling, wanted, all);
    } else {
      return choose_among<T, false, is_set>(spelling, wanted, std::make_integer_sequence<int, 6>());
    }
  });
}

// --- selections and moves

template <class T>
void select(Warp& warp, const Instruction& i) {
  T* const to = warp.row<T>(i.place[0]);
  const T* const a = warp.row<T>(i.place[1]);
  const T* const b = warp.row<T>(i.place[2]);
  const Lanes first = warp.predicate(i.place[3]);
  const Lanes active = warp.active;
#pragma GCC ivdep
  for (u32 l = 0; l < warp_lanes; ++l) {
    const T value = (first >> l & 1) != 0 ? a[l] : b[l];
    to[l] = (active >> l & 1) != 0 ? value : to[l];
  }
}
template <bool flushes>
struct SelectBySign {
  template <class T, class C>
  static T of(T a, T b, C c) {
    if constexpr (flushes) return flushed(c) >= 0 ? a : b;
    return c >= 0 ? a : b;
  }
};
struct Same {
  template <class T>
  static T of(T a) {
    return a;
  }
};
/// The unsigned integer type of so many bytes as the first type has.
template <class F>
Execute for_size(Type type, F f) {
  switch (bytes_of(type)) {
    case 1:
    case 2:
      return f.template operator()<u16>();
    case 4:
      return f.template operator()<u32>();
    case 8:
      return f.template operator()<u64>();
    default:
      return nullptr;
  }
}
Execute choose_move(const Spelling& spelling) {
  return for_size(spelling.type[0], []<class T>() -> Execute { return &each_lane<Same, T, T>; });
}
Execute choose_select(const Spelling& spelling) {
  return for_size(spelling.type[0], []<class T>() -> Execute { return &select<T>; });
}
Execute choose_select_by_sign(const Spelling& spelling) {
  return for_size(spelling.type[0], [&]<class T>() -> Execute {
    if (spelling.type[1] == Type::s32) return &each_lane<SelectBySign<false>, T, T, T, s32>;
    return spelling.has("ftz") ? &each_lane<SelectBySign<true>, T, T, T, float>
                               : &each_lane<SelectBySign<false>, T, T, T, float>;
  });
}
/// Registers of Instruction::bytes each, from place[1] on, side by side in that of place[0]; or
/// taken out of it.
template <bool packs>
void move_parts(Warp& warp, const Instruction& i) {
  const std::size_t width = std::size_t{i.bytes} * i.count;
  for_lanes(warp.active, [&](u32 l) {
    for (std::size_t k = 0; k < i.count; ++k) {
      if (i.place[k + 1] == no_place) continue;
      std::byte* const whole = warp.row<std::byte>(i.place[0]) + l * width + k * i.bytes;
      std::byte* const part = warp.row<std::byte>(i.place[k + 1]) + l * i.bytes;
      std::memcpy(packs ? whole : part, packs ? part : whole, i.bytes);
    }
  });
}

template <class F>
Execute shift(const Spelling& spelling) {
  return for_type<u16, u32, u64, s16, s32, s64>(
      spelling.type[0], []<class T>() -> Execute { return &each_lane<F, T, T, u32>; });
}
template <class F, class... Types>
Execute count(const Spelling& spelling) {
  return for_type<Types...>(spelling.type[0],
                            []<class T>() -> Execute { return &each_lane<F, u32, T>; });
}
template <bool wraps>
Execute choose_extend(const Spelling& spelling) {
  return for_type<u32, s32>(
      spelling.type[0], []<class T>() -> Execute { return &each_lane<Extend<wraps>, T, T, u32>; });
}
Execute choose_extract(const Spelling& spelling) {
  return for_type<u32, u64, s32, s64>(spelling.type[0], []<class T>() -> Execute {
    return &each_lane<ExtractField, T, T, u32, u32>;
  });
}
Execute choose_insert(const Spelling& spelling) {
  return for_type<u32, u64>(spelling.type[0], []<class T>() -> Execute {
    return &each_lane<InsertField, T, T, T, u32, u32>;
  });
}

constexpr auto arithmetic = Bill::arithmetic;
#define AGPUSIM_PTX_COMPARED "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"
constexpr std::string_view compared = AGPUSIM_PTX_COMPARISONS "ftz? " AGPUSIM_PTX_COMPARED;
constexpr std::string_view combined_with =
    AGPUSIM_PTX_COMPARISONS "and|or|xor ftz? " AGPUSIM_PTX_COMPARED;
constexpr std::string_view set_integer =
    AGPUSIM_PTX_COMPARISONS "ftz? u32|s32 " AGPUSIM_PTX_COMPARED;
constexpr std::string_view set_integer_combined =
    AGPUSIM_PTX_COMPARISONS "and|or|xor ftz? u32|s32 " AGPUSIM_PTX_COMPARED;
constexpr std::string_view set_float = AGPUSIM_PTX_COMPARISONS "ftz? f32 " AGPUSIM_PTX_COMPARED;
constexpr std::string_view set_float_combined =
    AGPUSIM_PTX_COMPARISONS "and|or|xor ftz? f32 " AGPUSIM_PTX_COMPARED;
constexpr std::int64_t float_one = std::bit_cast<std::int32_t>(1.0F);

constexpr Opcode rows[] = {
    {"and", "b16|b32|b64", "Dtt", arithmetic, Op::logic, binary<And, u16, u32, u64>},
    {"or", "b16|b32|b64", "Dtt", arithmetic, Op::logic, binary<Or, u16, u32, u64>},
    {"xor", "b16|b32|b64", "Dtt", arithmetic, Op::logic, binary<Xor, u16, u32, u64>},
    {"not", "b16|b32|b64", "Dt", arithmetic, Op::logic, unary<Not, u16, u32, u64>},
    {"cnot", "b16|b32|b64", "Dt", arithmetic, Op::logic, unary<IsZero, u16, u32, u64>},
    {"and", "pred", "Ppp", arithmetic, Op::truth, always<predicate_logic<And>>},
    {"or", "pred", "Ppp", arithmetic, Op::truth, always<predicate_logic<Or>>},
    {"xor", "pred", "Ppp", arithmetic, Op::truth, always<predicate_logic<Xor>>},
    {"not", "pred", "Pp", arithmetic, Op::truth, always<predicate_not>},
    {"mov", "pred", "Pp", arithmetic, Op::truth, always<predicate_move>},
    {"lop3", "b32", "Dttti", arithmetic, Op::logic, always<logic3>},
    {"shl", "b16|b32|b64", "Dtu", arithmetic, Op::shift, shift<ShiftLeft>},
    {"shr", "b16|b32|b64|u16|u32|u64|s16|s32|s64", "Dtu", arithmetic, Op::shift, shift<ShiftRight>},
    {"shf", "l wrap b32", "Dttu", arithmetic, Op::shift,
     always<each_lane<Funnel<true, true>, u32, u32, u32, u32>>},
    {"shf", "l clamp b32", "Dttu", arithmetic, Op::shift,
     always<each_lane<Funnel<true, false>, u32, u32, u32, u32>>},
    {"shf", "r wrap b32", "Dttu", arithmetic, Op::shift,
     always<each_lane<Funnel<false, true>, u32, u32, u32, u32>>},
    {"shf", "r clamp b32", "Dttu", arithmetic, Op::shift,
     always<each_lane<Funnel<false, false>, u32, u32, u32, u32>>},
    {"popc", "b32|b64", "Ut", arithmetic, Op::logic, count<Ones, u32, u64>},
    {"clz", "b32|b64", "Ut", arithmetic, Op::logic, count<LeadingZeros, u32, u64>},
    {"bfind", "u32|u64|s32|s64", "Ut", arithmetic, Op::logic,
     count<FindHighest<false>, u32, u64, s32, s64>},
    {"bfind", "shiftamt u32|u64|s32|s64", "Ut", arithmetic, Op::logic,
     count<FindHighest<true>, u32, u64, s32, s64>},
    {"fns", "b32", "Duuu", arithmetic, Op::logic,
     always<each_lane<FindNthSet, u32, u32, u32, s32>>},
    {"szext", "wrap u32|s32", "Dtu", arithmetic, Op::logic, choose_extend<true>},
    {"szext", "clamp u32|s32", "Dtu", arithmetic, Op::logic, choose_extend<false>},
    {"brev", "b32|b64", "Dt", arithmetic, Op::logic, unary<Reverse, u32, u64>},
    {"bfe", "u32|u64|s32|s64", "Dtuu", arithmetic, Op::logic, choose_extract},
    {"bfi", "b32|b64", "Dttuu", arithmetic, Op::logic, choose_insert},
    {"bmsk", "wrap b32", "Dtt", arithmetic, Op::logic,
     always<each_lane<Mask<true>, u32, u32, u32>>},
    {"bmsk", "clamp b32", "Dtt", arithmetic, Op::logic,
     always<each_lane<Mask<false>, u32, u32, u32>>},
    {"prmt", "b32", "Dttt", arithmetic, Op::logic, always<each_lane<Permute, u32, u32, u32, u32>>},
    {"prmt", "b32 f4e", "Dttt", arithmetic, Op::logic,
     always<each_lane<PermuteBy<PermuteMode::f4e>, u32, u32, u32, u32>>},
    {"prmt", "b32 b4e", "Dttt", arithmetic, Op::logic,
     always<each_lane<PermuteBy<PermuteMode::b4e>, u32, u32, u32, u32>>},
    {"prmt", "b32 rc8", "Dttt", arithmetic, Op::logic,
     always<each_lane<PermuteBy<PermuteMode::rc8>, u32, u32, u32, u32>>},
    {"prmt", "b32 ecl", "Dttt", arithmetic, Op::logic,
     always<each_lane<PermuteBy<PermuteMode::ecl>, u32, u32, u32, u32>>},
    {"prmt", "b32 ecr", "Dttt", arithmetic, Op::logic,
     always<each_lane<PermuteBy<PermuteMode::ecr>, u32, u32, u32, u32>>},
    {"prmt", "b32 rc16", "Dttt", arithmetic, Op::logic,
     always<each_lane<PermuteBy<PermuteMode::rc16>, u32, u32, u32, u32>>},
    {"setp", compared, "Qtt", arithmetic, Op::compare, choose_comparison<false>},
    {"setp", combined_with, "Qttp", arithmetic, Op::compare, choose_comparison<false>},
    {"set", set_integer, "Rss", arithmetic, Op::compare, choose_comparison<true>, 0xFFFFFFFF},
    {"set", set_integer_combined, "Rssp", arithmetic, Op::compare, choose_comparison<true>,
     0xFFFFFFFF},
    {"set", set_float, "Rss", arithmetic, Op::compare, choose_comparison<true>, float_one},
    {"set", set_float_combined, "Rssp", arithmetic, Op::compare, choose_comparison<true>,
     float_one},
    {"selp", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64", "Dttp", arithmetic, Op::select,
     choose_select},
    {"slct", "ftz? b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64 s32|f32", "Dtts", arithmetic,
     Op::select, choose_select_by_sign},
    {"mov", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64", "Dt", arithmetic, Op::add, choose_move},
    {"mov", "b16|b32|b64", "Dv", arithmetic, Op::add, always<move_parts<true>>},
    {"mov", "b16|b32|b64", "Vt", arithmetic, Op::add, always<move_parts<false>>},
};

}  // namespace

std::span<const Opcode> bit_rows() { return rows; }

}  // namespace agpusim::ptx
