#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "agpusim/ptx/run/functions.hpp"

// Arithmetic of integers. It wraps as the hardware's does: computed without signs.
namespace agpusim::ptx {
namespace {

__extension__ using s128 = __int128;
__extension__ using u128 = unsigned __int128;

/// Twice as wide, of the same signedness.
template <class T>
using Wide = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, s32, u32>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, s64, u64>,
                       std::conditional_t<std::is_signed_v<T>, s128, u128>>>;

template <class T>
T high(T a, T b) {
  return static_cast<T>(static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >>
                        8 * sizeof(T));
}
s32 saturated(s64 value) {
  return static_cast<s32>(
      std::clamp<s64>(value, std::numeric_limits<s32>::min(), std::numeric_limits<s32>::max()));
}

struct Subtract {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(word(a) - word(b));
  }
};
struct AddSaturated {
  static s32 of(s32 a, s32 b) { return saturated(s64{a} + b); }
};
struct SubtractSaturated {
  static s32 of(s32 a, s32 b) { return saturated(s64{a} - b); }
};
struct MultiplyLow {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(word(a) * word(b));
  }
};
struct MultiplyHigh {
  template <class T>
  static T of(T a, T b) {
    return high(a, b);
  }
};
struct MultiplyWide {
  template <class T>
  static Wide<T> of(T a, T b) {
    return static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
  }
};
struct MadLow {
  template <class T>
  static T of(T a, T b, T c) {
    return static_cast<T>(word(a) * word(b) + word(c));
  }
};
struct MadHigh {
  template <class T>
  static T of(T a, T b, T c) {
    return static_cast<T>(word(high(a, b)) + word(c));
  }
};
struct MadHighSaturated {
  static s32 of(s32 a, s32 b, s32 c) { return saturated(s64{high(a, b)} + c); }
};
struct MadWide {
  template <class T>
  static Wide<T> of(T a, T b, Wide<T> c) {
    return Sum::of(MultiplyWide::of(a, b), c);
  }
};
/// Product of the low 24 bits of each operand.
template <class T>
s64 product_of_24(T a, T b) {
  const auto low = [](T value) {
    return std::is_signed_v<T> ? s64{static_cast<s32>(static_cast<u32>(value) << 8) >> 8}
                               : static_cast<s64>(static_cast<u32>(value) & 0xFFFFFF);
  };
  return low(a) * low(b);
}
struct Multiply24Low {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(product_of_24(a, b));
  }
};
struct Multiply24High {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(product_of_24(a, b) >> 16);
  }
};
struct Mad24Low {
  template <class T>
  static T of(T a, T b, T c) {
    return Sum::of(Multiply24Low::of(a, b), c);
  }
};
struct Mad24High {
  template <class T>
  static T of(T a, T b, T c) {
    return Sum::of(Multiply24High::of(a, b), c);
  }
};
struct Mad24HighSaturated {
  static s32 of(s32 a, s32 b, s32 c) { return saturated(s64{Multiply24High::of(a, b)} + c); }
};
/// Division by 0 gives all ones, as the hardware's does: quotient and remainder.
struct Divide {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return static_cast<T>(0 - word(a));
    }
    return static_cast<T>(a / b);
  }
};
struct Remainder {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};
struct Absolute {
  template <class T>
  static T of(T a) {
    return a < 0 ? static_cast<T>(0 - word(a)) : a;
  }
};
struct Negate {
  template <class T>
  static T of(T a) {
    return static_cast<T>(0 - word(a));
  }
};
struct SumOfDifferences {
  template <class T>
  static T of(T a, T b, T c) {
    return static_cast<T>(word(c) + (a < b ? word(b) - word(a) : word(a) - word(b)));
  }
};
/// Four products of bytes, or two of halves with bytes.
template <class A, class B>
struct Dot4 {
  static u32 of(u32 a, u32 b, u32 c) {
    for (u32 i = 0; i < 32; i += 8) {
      c +=
          static_cast<u32>(s32{static_cast<A>(a >> i & 0xFF)} * s32{static_cast<B>(b >> i & 0xFF)});
    }
    return c;
  }
};
template <class A, class B, u32 first>
struct Dot2 {
  static u32 of(u32 a, u32 b, u32 c) {
    for (u32 i = 0; i < 2; ++i) {
      c += static_cast<u32>(s32{static_cast<A>(a >> 16 * i & 0xFFFF)} *
                            s32{static_cast<B>(b >> (first + 8 * i) & 0xFF)});
    }
    return c;
  }
};

/// d = F(a, b, c) with the carry of each lane, which is the predicate at place 0: taken, where
/// `takes`; written, where `writes`.
template <class T, bool subtracts, bool takes, bool writes>
void carrying(Warp& warp, const Instruction& instruction, const T* a, const T* b) {
  constexpr Place carry = 0;
  const Lanes before = takes ? warp.predicate(carry) : 0;
  T* const to = warp.row<T>(instruction.place[0]);
  const Lanes after = lanes_where([&](u32 l) {
    const auto in = static_cast<u128>(before >> l & 1);
    const auto x = static_cast<u128>(a[l]);
    const auto y = static_cast<u128>(b[l]);
    const u128 sum = subtracts ? x - y - in : x + y + in;
    if ((warp.active >> l & 1) != 0) to[l] = static_cast<T>(sum);
    return (sum >> 8 * sizeof(T) & 1) != 0;
  });
  if (writes) warp.set_predicate(carry, after);
}
template <bool subtracts, bool takes, bool writes>
Execute with_carry(const Spelling& spelling) {
  return for_type<u32, u64, s32, s64>(spelling.type[0], []<class T>() -> Execute {
    return [](Warp& warp, const Instruction& i) {
      using U = std::make_unsigned_t<T>;
      carrying<U, subtracts, takes, writes>(warp, i, warp.row<U>(i.place[1]),
                                            warp.row<U>(i.place[2]));
    };
  });
}
template <class Product, bool takes, bool writes>
Execute mad_with_carry(const Spelling& spelling) {
  return for_type<u32, u64, s32, s64>(spelling.type[0], []<class T>() -> Execute {
    return [](Warp& warp, const Instruction& i) {
      using U = std::make_unsigned_t<T>;
      const T* const a = warp.row<T>(i.place[1]);
      const T* const b = warp.row<T>(i.place[2]);
      U product[warp_lanes];
      for (u32 l = 0; l < warp_lanes; ++l) product[l] = static_cast<U>(Product::of(a[l], b[l]));
      carrying<U, false, takes, writes>(warp, i, product, warp.row<U>(i.place[3]));
    };
  });
}

template <class F>
Execute wide_product(const Spelling& spelling) {
  return for_type<u16, s16, u32, s32>(
      spelling.type[0], []<class T>() -> Execute { return &each_lane<F, Wide<T>, T, T>; });
}
Execute wide_mad(const Spelling& spelling) {
  return for_type<u16, s16, u32, s32>(spelling.type[0], []<class T>() -> Execute {
    return &each_lane<MadWide, Wide<T>, T, T, Wide<T>>;
  });
}
template <template <class, class> class F>
Execute dot(const Spelling& spelling) {
  const bool b_signed = spelling.type[1] == Type::s32;
  if (spelling.type[0] == Type::s32) {
    return b_signed ? &each_lane<F<std::int8_t, std::int8_t>, u32, u32, u32, u32>
                    : &each_lane<F<std::int8_t, std::uint8_t>, u32, u32, u32, u32>;
  }
  return b_signed ? &each_lane<F<std::uint8_t, std::int8_t>, u32, u32, u32, u32>
                  : &each_lane<F<std::uint8_t, std::uint8_t>, u32, u32, u32, u32>;
}
template <u32 first>
Execute dot2(const Spelling& spelling) {
  const bool b_signed = spelling.type[1] == Type::s32;
  if (spelling.type[0] == Type::s32) {
    return b_signed ? &each_lane<Dot2<s16, std::int8_t, first>, u32, u32, u32, u32>
                    : &each_lane<Dot2<s16, std::uint8_t, first>, u32, u32, u32, u32>;
  }
  return b_signed ? &each_lane<Dot2<u16, std::int8_t, first>, u32, u32, u32, u32>
                  : &each_lane<Dot2<u16, std::uint8_t, first>, u32, u32, u32, u32>;
}

template <class F>
Execute of_all(const Spelling& spelling) {
  return binary<F, u16, s16, u32, s32, u64, s64>(spelling);
}
template <class F>
Execute mad_of_all(const Spelling& spelling) {
  return ternary<F, u16, s16, u32, s32, u64, s64>(spelling);
}

constexpr auto arithmetic = Bill::arithmetic;
constexpr std::string_view all = "u16|s16|u32|s32|u64|s64";

constexpr Opcode rows[] = {
    {"add", all, "Dtt", arithmetic, Op::add, of_all<Sum>},
    {"add", "sat s32", "Dtt", arithmetic, Op::add, binary<AddSaturated, s32>},
    {"add", "cc u32|s32|u64|s64", "Dtt", arithmetic, Op::add, with_carry<false, false, true>},
    {"addc", "cc u32|s32|u64|s64", "Dtt", arithmetic, Op::add, with_carry<false, true, true>},
    {"addc", "u32|s32|u64|s64", "Dtt", arithmetic, Op::add, with_carry<false, true, false>},
    {"sub", all, "Dtt", arithmetic, Op::add, of_all<Subtract>},
    {"sub", "sat s32", "Dtt", arithmetic, Op::add, binary<SubtractSaturated, s32>},
    {"sub", "cc u32|s32|u64|s64", "Dtt", arithmetic, Op::add, with_carry<true, false, true>},
    {"subc", "cc u32|s32|u64|s64", "Dtt", arithmetic, Op::add, with_carry<true, true, true>},
    {"subc", "u32|s32|u64|s64", "Dtt", arithmetic, Op::add, with_carry<true, true, false>},
    {"mul", "lo u16|s16|u32|s32|u64|s64", "Dtt", arithmetic, Op::multiply, of_all<MultiplyLow>},
    {"mul", "hi u16|s16|u32|s32|u64|s64", "Dtt", arithmetic, Op::multiply, of_all<MultiplyHigh>},
    {"mul", "wide u16|s16|u32|s32", "Wtt", arithmetic, Op::multiply, wide_product<MultiplyWide>},
    {"mad", "lo u16|s16|u32|s32|u64|s64", "Dttt", arithmetic, Op::multiply, mad_of_all<MadLow>},
    {"mad", "hi u16|s16|u32|s32|u64|s64", "Dttt", arithmetic, Op::multiply, mad_of_all<MadHigh>},
    {"mad", "hi sat s32", "Dttt", arithmetic, Op::multiply, ternary<MadHighSaturated, s32>},
    {"mad", "wide u16|s16|u32|s32", "Wttw", arithmetic, Op::multiply, wide_mad},
    {"mad", "lo cc u32|s32|u64|s64", "Dttt", arithmetic, Op::multiply,
     mad_with_carry<MultiplyLow, false, true>},
    {"mad", "hi cc u32|s32|u64|s64", "Dttt", arithmetic, Op::multiply,
     mad_with_carry<MultiplyHigh, false, true>},
    {"madc", "lo u32|s32|u64|s64", "Dttt", arithmetic, Op::multiply,
     mad_with_carry<MultiplyLow, true, false>},
    {"madc", "hi u32|s32|u64|s64", "Dttt", arithmetic, Op::multiply,
     mad_with_carry<MultiplyHigh, true, false>},
    {"madc", "lo cc u32|s32|u64|s64", "Dttt", arithmetic, Op::multiply,
     mad_with_carry<MultiplyLow, true, true>},
    {"madc", "hi cc u32|s32|u64|s64", "Dttt", arithmetic, Op::multiply,
     mad_with_carry<MultiplyHigh, true, true>},
    {"mul24", "lo u32|s32", "Dtt", arithmetic, Op::multiply, binary<Multiply24Low, u32, s32>},
    {"mul24", "hi u32|s32", "Dtt", arithmetic, Op::multiply, binary<Multiply24High, u32, s32>},
    {"mad24", "lo u32|s32", "Dttt", arithmetic, Op::multiply, ternary<Mad24Low, u32, s32>},
    {"mad24", "hi u32|s32", "Dttt", arithmetic, Op::multiply, ternary<Mad24High, u32, s32>},
    {"mad24", "hi sat s32", "Dttt", arithmetic, Op::multiply, ternary<Mad24HighSaturated, s32>},
    {"div", all, "Dtt", arithmetic, Op::divide, of_all<Divide>},
    {"rem", all, "Dtt", arithmetic, Op::divide, of_all<Remainder>},
    {"abs", "s16|s32|s64", "Dt", arithmetic, Op::add, unary<Absolute, s16, s32, s64>},
    {"neg", "s16|s32|s64", "Dt", arithmetic, Op::add, unary<Negate, s16, s32, s64>},
    {"min", all, "Dtt", arithmetic, Op::minimum, of_all<Minimum>},
    {"max", all, "Dtt", arithmetic, Op::minimum, of_all<Maximum>},
    {"sad", all, "Dttt", arithmetic, Op::add, mad_of_all<SumOfDifferences>},
    {"dp4a", "u32|s32 u32|s32", "Duuu", arithmetic, Op::multiply, dot<Dot4>},
    {"dp2a", "lo u32|s32 u32|s32", "Duuu", arithmetic, Op::multiply, dot2<0>},
    {"dp2a", "hi u32|s32 u32|s32", "Duuu", arithmetic, Op::multiply, dot2<16>},
};

}  // namespace

std::span<const Opcode> integer_rows() { return rows; }

}  // namespace agpusim::ptx
