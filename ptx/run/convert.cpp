#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "agpusim/ptx/run/lanes.hpp"
#include "agpusim/ptx/run/rounding.hpp"

// Conversions between all types. Those that kernels are full of have loops of their own; all others
// go through exact numbers.
namespace agpusim::ptx {
namespace {

template <class T>
constexpr bool is_half = std::is_same_v<T, F16> || std::is_same_v<T, BF16>;
template <class T>
constexpr bool is_float = std::is_floating_point_v<T>;
template <class T>
constexpr bool is_integer = std::is_integral_v<T>;

/// The integer of so many bytes that has a sign as T has.
template <class T, std::size_t bytes>
using Sized = std::conditional_t<
    bytes == 8, std::conditional_t<std::is_signed_v<T>, s64, u64>,
    std::conditional_t<bytes == 4, std::conditional_t<std::is_signed_v<T>, s32, u32>,
                       std::conditional_t<std::is_signed_v<T>, s16, u16>>>;
template <class F>
Execute with_type(Type type, F f) {
  if (type == Type::f16) return f.template operator()<F16>();
  if (type == Type::bf16) return f.template operator()<BF16>();
  return for_type<u8, u16, u32, u64, s8, s16, s32, s64, float, double>(type, f);
}
/// f.operator()<R>() for a register R of so many bytes that holds a T; 0: of as many as T needs.
template <class T, class F>
Execute with_register(std::size_t bytes, F f) {
  if constexpr (!is_integer<T>) {
    return bytes == 0 || bytes == sizeof(T) ? f.template operator()<T>() : nullptr;
  } else {
    if (bytes == 0) bytes = sizeof(T);
    if (bytes < sizeof(T)) return nullptr;
    if (bytes == 8) return f.template operator()<Sized<T, 8>>();
    if constexpr (sizeof(T) <= 4) {
      if (bytes == 4) return f.template operator()<Sized<T, 4>>();
    }
    if constexpr (sizeof(T) <= 2) return f.template operator()<Sized<T, 2>>();
    return nullptr;
  }
}

/// What is no number is 0 as an integer, or where f64 or 64 bits take part only the highest bit.
template <class D, bool wide>
constexpr D integer_of_nan = wide || sizeof(D) == 8 ? static_cast<D>(u64{1} << (8 * sizeof(D) - 1))
                                                    : D{0};

// --- through exact numbers

// What a row says of its conversions, as bits of its number: the rounding, and these.
constexpr std::int64_t rounds_bit = 8;
constexpr std::int64_t saturates_bit = 16;

template <class S, class R, bool flushes>
void read(Warp& warp, Place place, Exact* to) {
  const R* const from = warp.row<R>(place);
  for (u32 l = 0; l < warp_lanes; ++l) {
    const S value = static_cast<S>(from[l]);
    if constexpr (flushes && std::is_same_v<S, float>) {
      to[l] = exact(flushed(value));
    } else {
      to[l] = exact(value);
    }
  }
}

/// An integer of type D from a number that may lie far beyond its range.
template <class D>
D integer_of(Exact number, Round round, bool saturates) {
  round_to(number, 0, round);
  const bool is_far =
      number.kind == Exact::Kind::infinite || number.exponent + width_of(number.magnitude) > 64;
  u64 magnitude = is_far ? ~u64{0} : static_cast<u64>(number.magnitude) << number.exponent;
  constexpr auto most = static_cast<u64>(std::numeric_limits<D>::max());
  const u64 limit = !number.negative ? most : std::is_signed_v<D> ? most + 1 : 0;
  if (saturates && magnitude > limit) magnitude = limit;
  return static_cast<D>(number.negative ? 0 - magnitude : magnitude);
}
template <class D, class R, bool flushes>
void write(Warp& warp, const Instruction& i, const Exact* from, bool from_integer, bool from_f64) {
  const auto round = static_cast<Round>(i.immediate & (rounds_bit - 1));
  const bool saturates = (i.immediate & saturates_bit) != 0;
  R* const to = warp.row<R>(i.place[0]);
  for (u32 l = 0; l < warp_lanes; ++l) {
    if ((warp.active >> l & 1) == 0) continue;
    if constexpr (is_integer<D>) {
      const D nan = from_f64 ? integer_of_nan<D, true> : integer_of_nan<D, false>;
      to[l] = static_cast<R>(from[l].kind == Exact::Kind::nan
                                 ? nan
                                 : integer_of<D>(from[l], round, saturates || !from_integer));
    } else {
      D value = rounded<D>(from[l], round);
      if constexpr (is_half<D>) {
        if (saturates) value = half_of<D>(saturated(widened(value)));
      } else {
        if constexpr (flushes && std::is_same_v<D, float>) value = flushed(value);
        if (saturates) value = saturated(value);
      }
      to[l] = value;
    }
  }
}
template <class D, class ToRegister, class S, class FromRegister, bool flushes>
void convert(Warp& warp, const Instruction& i) {
  Exact numbers[warp_lanes];
  read<S, FromRegister, flushes>(warp, i.place[1], numbers);
  if (std::is_same_v<D, S> && (i.immediate & rounds_bit) != 0) {
    for (Exact& number : numbers) {
      round_to(number, 0, static_cast<Round>(i.immediate & (rounds_bit - 1)));
    }
  }
  write<D, ToRegister, flushes>(warp, i, numbers, is_integer<S>, std::is_same_v<S, double>);
}

// --- lane by lane

template <class D, class S>
struct Cast {
  template <class R>
  static D of(R value) {
    return static_cast<D>(static_cast<S>(value));
  }
};
template <Round round, class T>
T integral(T value) {
  return round == Round::nearest ? std::nearbyint(value)
         : round == Round::zero  ? std::trunc(value)
         : round == Round::down  ? std::floor(value)
                                 : std::ceil(value);
}
template <class D, Round round>
struct ToInteger {
  template <class S>
  static D of(S value) {
    using Limits = std::numeric_limits<D>;
    constexpr S least = static_cast<S>(Limits::min());
    constexpr S limit = 2 * static_cast<S>(u64{1} << (Limits::digits - 1));
    const S whole = integral<round>(value);
    // Without branches, for the sake of vectors.
    const bool is_less = whole < least;
    const bool is_more = whole >= limit;
    const bool is_none = value != value;
    const S held = (is_less | is_more | is_none) ? S{0} : whole;
    D result = static_cast<D>(held);
    result = is_less ? Limits::min() : result;
    result = is_more ? Limits::max() : result;
    return is_none ? integer_of_nan<D, sizeof(S) == 8> : result;
  }
};
template <Round round, bool flushes, bool saturates>
struct ToIntegral {
  template <class T>
  static T of(T value) {
    const T result = or_canonical_nan(integral<round>(flushes ? flushed(value) : value));
    return saturates ? saturated(result) : result;
  }
};
template <bool flushes, bool saturates>
struct Clean {
  static float of(float value) {
    const float result = or_canonical_nan(flushes ? flushed(value) : value);
    return saturates ? saturated(result) : result;
  }
};
template <Round round, bool flushes>
struct Narrow {
  static float of(double value) {
    const float result = or_canonical_nan(to_float<round>(value));
    return flushes ? flushed(result) : result;
  }
};
struct Widen {
  template <class H>
  static float of(H half) {
    if constexpr (std::is_same_v<H, BF16>) return widened(half);  // a shift on the hardware, too
    return or_canonical_nan(widened(half));
  }
};
template <class H, Round round, bool rectifies>
struct ToHalf {
  static H of(float value) {
    if (rectifies) value = rectified(value);
    return round == Round::nearest ? half_of<H>(value) : rounded<H>(exact(value), round);
  }
};
/// Both in one register: a above b.
template <class F>
struct ToHalves {
  static u32 of(float a, float b) {
    return u32{static_cast<u16>(F::of(a))} << 16 | static_cast<u16>(F::of(b));
  }
};

/// The loop of a frequent conversion between registers as wide as their types; null for others.
template <class D, class S>
Execute own_loop(Round round, bool rounds, bool flushes, bool saturates) {
  if constexpr (is_integer<S> && !is_half<D>) {
    const bool plain = !saturates && round == Round::nearest;
    using To = std::conditional_t<is_integer<D>, Sized<D, sizeof(D)>, D>;
    return plain ? &each_lane<Cast<D, S>, To, Sized<S, sizeof(S)>> : nullptr;
  } else if constexpr (is_float<S> && is_integer<D> && sizeof(D) >= 4) {
    // Flushing changes what is rounded away from 0.
    if (flushes && (round == Round::down || round == Round::up)) return nullptr;
    return with_round(round,
                      []<Round how>() -> Execute { return &each_lane<ToInteger<D, how>, D, S>; });
  } else if constexpr (is_float<S> && std::is_same_v<D, S>) {
    return with_flag(flushes, [&]<bool flush>() -> Execute {
      return with_flag(saturates, [&]<bool limit>() -> Execute {
        if constexpr (sizeof(S) == 4) {
          if (!rounds) return &each_lane<Clean<flush, limit>, D, S>;
        }
        if (!rounds || (sizeof(S) == 8 && (flush || limit))) return nullptr;
        return with_round(round, []<Round how>() -> Execute {
          return &each_lane<ToIntegral<how, flush && sizeof(S) == 4, limit>, D, S>;
        });
      });
    });
  } else if constexpr (is_float<S> && is_float<D> && sizeof(S) == 8) {
    if (saturates) return nullptr;
    return with_round(round, [&]<Round how>() -> Execute {
      return flushes ? &each_lane<Narrow<how, true>, D, S> : &each_lane<Narrow<how, false>, D, S>;
    });
  } else if (flushes || saturates) {
    return nullptr;
  } else if constexpr (is_float<S> && is_float<D>) {
    return &each_lane<Cast<D, S>, D, S>;
  } else if constexpr (std::is_same_v<S, float> && is_half<D>) {
    return with_round(
        round, []<Round how>() -> Execute { return &each_lane<ToHalf<D, how, false>, D, S>; });
  } else if constexpr (std::is_same_v<D, float> && is_half<S>) {
    return &each_lane<Widen, D, S>;
  }
  return nullptr;
}

/// Bits of the fraction; -1 for integers.
template <class T>
constexpr int fraction_of() {
  if constexpr (is_integer<T>)
    return -1;
  else
    return Format<T>::fraction;
}
/// Whether PTX has such a rounding of this conversion; "" for none.
template <class D, class S>
bool is_valid(const Spelling& spelling) {
  const std::string_view first = spelling.modifiers[0];
  const bool to_number = first == "rn" || first == "rz" || first == "rm" || first == "rp";
  const bool to_integer = first == "rni" || first == "rzi" || first == "rmi" || first == "rpi";
  if (is_integer<D> && is_integer<S>) return !to_number && !to_integer && !spelling.has("ftz");
  if (is_integer<D>) return to_integer;
  if (is_integer<S>) return to_number;
  if (std::is_same_v<D, S>) return !to_number;
  // All values of f16 are in f32, but none of f16 and bf16 is in the other as a whole.
  const bool is_wider = sizeof(D) > sizeof(S);
  return is_wider ? !to_number && !to_integer : to_number;
}
Execute choose_conversion(const Spelling& spelling) {
  const bool flushes = spelling.has("ftz");
  return with_type(spelling.type[0], [&]<class D>() -> Execute {
    return with_type(spelling.type[1], [&]<class S>() -> Execute {
      if (!is_valid<D, S>(spelling)) return nullptr;
      const Round round = round_of(spelling);
      const bool rounds = spelling.modifiers[0].starts_with('r');
      return with_register<D>(spelling.bytes[0], [&]<class To>() -> Execute {
        return with_register<S>(spelling.bytes[1], [&]<class From>() -> Execute {
          constexpr bool is_own = (sizeof(To) == sizeof(D) || sizeof(To) == 2) &&
                                  (sizeof(From) == sizeof(S) || sizeof(From) == 2);
          if constexpr (is_own) {
            const Execute own = own_loop<D, S>(round, rounds, flushes, spelling.has("sat"));
            if (own != nullptr) return own;
          }
          return flushes ? &convert<D, To, S, From, true> : &convert<D, To, S, From, false>;
        });
      });
    });
  });
}
template <template <class> class Wrap, class D, class... S>
Execute to_half(const Spelling& spelling) {
  return with_round(round_of(spelling), [&]<Round round>() -> Execute {
    return with_flag(spelling.has("relu"), [&]<bool rectifies>() -> Execute {
      if (spelling.type[0] == Type::f16 || spelling.type[0] == Type::f16x2) {
        return &each_lane<Wrap<ToHalf<F16, round, rectifies>>, D, S...>;
      }
      return &each_lane<Wrap<ToHalf<BF16, round, rectifies>>, D, S...>;
    });
  });
}
template <class F>
struct Alone : F {
  static u16 of(float value) { return static_cast<u16>(F::of(value)); }
};

#define AGPUSIM_PTX_NUMBERS "u8|u16|u32|u64|s8|s16|s32|s64|f16|bf16|f32|f64"
#define AGPUSIM_PTX_CONVERSION(rounding, limits) \
  rounding "ftz? " limits AGPUSIM_PTX_NUMBERS " " AGPUSIM_PTX_NUMBERS
constexpr Opcode conversion(std::string_view modifiers, Round round, std::int64_t bits) {
  return {"cvt",
          modifiers,
          "Yy",
          Bill::arithmetic,
          Op::convert,
          choose_conversion,
          static_cast<std::int64_t>(round) | bits};
}
constexpr std::int64_t both = rounds_bit | saturates_bit;

constexpr Opcode rows[] = {
    conversion(AGPUSIM_PTX_CONVERSION("", ""), Round::nearest, 0),
    conversion(AGPUSIM_PTX_CONVERSION("", "sat "), Round::nearest, saturates_bit),
    conversion(AGPUSIM_PTX_CONVERSION("rn|rni ", ""), Round::nearest, rounds_bit),
    conversion(AGPUSIM_PTX_CONVERSION("rn|rni ", "sat "), Round::nearest, both),
    conversion(AGPUSIM_PTX_CONVERSION("rz|rzi ", ""), Round::zero, rounds_bit),
    conversion(AGPUSIM_PTX_CONVERSION("rz|rzi ", "sat "), Round::zero, both),
    conversion(AGPUSIM_PTX_CONVERSION("rm|rmi ", ""), Round::down, rounds_bit),
    conversion(AGPUSIM_PTX_CONVERSION("rm|rmi ", "sat "), Round::down, both),
    conversion(AGPUSIM_PTX_CONVERSION("rp|rpi ", ""), Round::up, rounds_bit),
    conversion(AGPUSIM_PTX_CONVERSION("rp|rpi ", "sat "), Round::up, both),
    {"cvt", "rn|rz relu f16|bf16 f32", "Ds", Bill::arithmetic, Op::convert,
     to_half<Alone, u16, float>},
    {"cvt", "rn|rz relu? f16x2|bf16x2 f32", "Dss", Bill::arithmetic, Op::convert,
     to_half<ToHalves, u32, float, float>},
};

}  // namespace

std::span<const Opcode> convert_rows() { return rows; }

}  // namespace agpusim::ptx
