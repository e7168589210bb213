#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <string_view>
#include <utility>

#include "agpusim/ptx/lower/operands.hpp"
#include "agpusim/ptx/run/lanes.hpp"

// Video instructions: arithmetic of the bytes, halves and words that selectors name, one, two or
// four at once. Numbers are exact until they are saturated or cut off.
namespace agpusim::ptx {
namespace {

__extension__ using Whole = __int128;

struct Add {
  static Whole of(Whole a, Whole b) { return a + b; }
};
struct Subtract {
  static Whole of(Whole a, Whole b) { return a - b; }
};
struct Difference {
  static Whole of(Whole a, Whole b) { return a < b ? b - a : a - b; }
};
struct Least {
  static Whole of(Whole a, Whole b) { return std::min(a, b); }
};
struct Greatest {
  static Whole of(Whole a, Whole b) { return std::max(a, b); }
};
/// A half is rounded away from 0.
struct Average {
  static Whole of(Whole a, Whole b) { return (a + b + (a + b >= 0 ? 1 : 0)) >> 1; }
};
template <bool left, bool wraps>
struct Shift {
  static Whole of(Whole a, Whole b) {
    const auto by = static_cast<u32>(wraps ? b & 31 : std::min<Whole>(b, 32));
    return left ? a << by : a >> by;
  }
};
template <class Holds>
struct Compare {
  static Whole of(Whole a, Whole b) { return Holds{}(a, b) ? 1 : 0; }
};

/// What a spelling says, as bits of a number.
enum How : u32 {
  d_signed = 1,
  a_signed = 2,
  b_signed = 4,
  saturates = 8,
  adds = 16,     ///< c to the result, which is else merged with it
  plus_one = 1,  ///< in place of d_signed, of vmad
};

/// Element k of those that a selection names.
Whole element(u64 both, u32 first, u32 k, u32 bytes, bool is_signed) {
  const u32 unused = 64 - 8 * bytes;
  const u64 moved = both >> 8 * (first >> 4 * k & 0xF) << unused;
  return is_signed ? Whole{static_cast<s64>(moved) >> unused} : Whole{moved >> unused};
}
Whole word_of(u32 bits, bool is_signed) {
  return is_signed ? Whole{static_cast<s32>(bits)} : Whole{bits};
}
Whole clamped(Whole value, u32 width, bool is_signed) {
  const Whole count = Whole{1} << width;
  return is_signed ? std::clamp<Whole>(value, -count / 2, count / 2 - 1)
                   : std::clamp<Whole>(value, 0, count - 1);
}

/// F on each element, merged with c or combined with it.
template <class F>
struct Elements {
  [[gnu::noinline]] static void run(Warp& warp, const Instruction& i, u32 how) {
    const auto selected = std::bit_cast<Selection>(i.immediate);
    const u32* const a = warp.row<u32>(i.place[1]);
    const u32* const b = warp.row<u32>(i.place[2]);
    const u32* const c = i.place[3] == no_place ? a : warp.row<u32>(i.place[3]);
    u32* const to = warp.row<u32>(i.place[0]);
    const u32 count = selected.first_a >= 0xFFF0 ? 1 : selected.first_a >= 0xFF00 ? 2 : 4;
    // One element is as wide as what is written of d.
    const u32 written = selected.written;
    const u32 width = count > 1 ? 32 / count : 8 * static_cast<u32>(std::popcount(written));
    const u32 first = count > 1 ? 0 : 8 * static_cast<u32>(std::countr_zero(written));
    u32 mask = 0;
    for (u32 byte = 0; byte < 4; ++byte) mask |= (written >> byte & 1) * 0xFF << 8 * byte;
    for_lanes(warp.active, [&](u32 l) {
      const u64 both = u64{b[l]} << 32 | a[l];
      const Whole third = word_of(c[l], (how & d_signed) != 0);
      u32 merged = c[l] & ~mask;
      Whole sum = 0;
      for (u32 k = 0; k < count; ++k) {
        const u32 at = first + width * k;
        if ((mask >> at & 1) == 0) continue;
        Whole value =
            F::of(element(both, selected.first_a, k, selected.bytes_a, (how & a_signed) != 0),
                  element(both, selected.first_b, k, selected.bytes_b, (how & b_signed) != 0));
        if ((how & saturates) != 0) value = clamped(value, width, (how & d_signed) != 0);
        merged |= static_cast<u32>(value) << (32 - width) >> (32 - width) << at;
        sum += value;
      }
      to[l] = (how & adds) != 0 ? static_cast<u32>(sum + third) : merged;
    });
  }
};
/// vmad. The type of d says nothing: the result has a sign where an operand has one.
struct MultiplyAdd {
  [[gnu::noinline]] static void run(Warp& warp, const Instruction& i, u32 how) {
    const auto selected = std::bit_cast<Selection>(i.immediate);
    const u32* const a = warp.row<u32>(i.place[1]);
    const u32* const b = warp.row<u32>(i.place[2]);
    const u32* const c = warp.row<u32>(i.place[3]);
    u32* const to = warp.row<u32>(i.place[0]);
    const bool is_signed = (how & (a_signed | b_signed)) != 0 || selected.minus != 0;
    for_lanes(warp.active, [&](u32 l) {
      const u64 both = u64{b[l]} << 32 | a[l];
      const Whole product =
          element(both, selected.first_a, 0, selected.bytes_a, (how & a_signed) != 0) *
          element(both, selected.first_b, 0, selected.bytes_b, (how & b_signed) != 0);
      const Whole third = word_of(c[l], is_signed);
      Whole value = (selected.minus & 1) != 0 ? -product : product;
      value += (selected.minus & 2) != 0 ? -third : third;
      value += (how & plus_one) != 0 ? 1 : 0;
      to[l] = static_cast<u32>((how & saturates) != 0 ? clamped(value, 32, is_signed) : value);
    });
  }
};

template <class R, u32 how>
void run(Warp& warp, const Instruction& instruction) {
  R::run(warp, instruction, how);
}
/// The operation for each value of `how`.
template <class R>
constexpr auto runs = []<u32... how>(std::integer_sequence<u32, how...>) {
  return std::array<Execute, sizeof...(how)>{&run<R, how>...};
}
(std::make_integer_sequence<u32, 32>());

/// `a`: place of its type among the modifiers. That of b follows, that of d is in front where it
/// is there.
u32 how_of(const Spelling& spelling, std::size_t a) {
  const auto is_signed = [&](std::size_t i) { return spelling.modifiers[i] == "s32"; };
  return (a > 0 && is_signed(0) ? d_signed : 0U) | (is_signed(a) ? a_signed : 0U) |
         (is_signed(a + 1) ? b_signed : 0U) | (spelling.has("sat") ? saturates : 0U) |
         (spelling.has("add") ? adds : 0U);
}
template <class F>
Execute choose(const Spelling& spelling) {
  return runs<Elements<F>>[how_of(spelling, 1)];
}
template <bool left>
Execute choose_shift(const Spelling& spelling) {
  return spelling.has("wrap") ? choose<Shift<left, true>>(spelling)
                              : choose<Shift<left, false>>(spelling);
}
Execute choose_set(const Spelling& spelling) {
  const u32 how = how_of(spelling, 0);
  const std::string_view name = spelling.modifiers[2];
  return name == "eq"   ? runs<Elements<Compare<std::equal_to<>>>>[how]
         : name == "ne" ? runs<Elements<Compare<std::not_equal_to<>>>>[how]
         : name == "lt" ? runs<Elements<Compare<std::less<>>>>[how]
         : name == "le" ? runs<Elements<Compare<std::less_equal<>>>>[how]
         : name == "gt" ? runs<Elements<Compare<std::greater<>>>>[how]
                        : runs<Elements<Compare<std::greater_equal<>>>>[how];
}
Execute choose_mad(const Spelling& spelling) {
  const u32 how = how_of(spelling, 1) & ~u32{d_signed};
  if ((how & saturates) != 0 && (how & (a_signed | b_signed)) == 0) return nullptr;
  return runs<MultiplyAdd>[how | (spelling.has("po") ? plus_one : 0U)];
}

constexpr auto one = std::bit_cast<std::int64_t>(Selection{});
constexpr auto two = std::bit_cast<std::int64_t>(Selection{0xFF20, 0xFF64, 2, 2});
constexpr auto four = std::bit_cast<std::int64_t>(Selection{0x3210, 0x7654, 1, 1});
constexpr auto arithmetic = Bill::arithmetic;

// Alone, or added to c. What an H200 does otherwise than the PTX ISA says is refused: scalar
// results that are saturated, compared or merged with c.
#define AGPUSIM_PTX_SCALAR(name, modifiers, op, choose)         \
  {name, modifiers, "Uee", arithmetic, op, choose, one}, {      \
    name, modifiers " add", "Ueeu", arithmetic, op, choose, one \
  }
#define AGPUSIM_PTX_SIMD(name, modifiers, op, choose)           \
  {name "2", modifiers, "Eeeu", arithmetic, op, choose, two}, { \
    name "4", modifiers, "Eeeu", arithmetic, op, choose, four   \
  }
#define AGPUSIM_PTX_TYPES "u32|s32 u32|s32 u32|s32 "
#define AGPUSIM_PTX_SET "u32|s32 u32|s32 eq|ne|lt|le|gt|ge"
#define AGPUSIM_PTX_SHIFT "u32|s32 u32|s32 u32 "

constexpr Opcode rows[] = {
    AGPUSIM_PTX_SCALAR("vadd", "u32|s32 u32|s32 u32|s32", Op::add, choose<Add>),
    AGPUSIM_PTX_SCALAR("vsub", "u32|s32 u32|s32 u32|s32", Op::add, choose<Subtract>),
    AGPUSIM_PTX_SCALAR("vabsdiff", "u32|s32 u32|s32 u32|s32", Op::add, choose<Difference>),
    AGPUSIM_PTX_SCALAR("vmin", "u32|s32 u32|s32 u32|s32", Op::minimum, choose<Least>),
    AGPUSIM_PTX_SCALAR("vmax", "u32|s32 u32|s32 u32|s32", Op::minimum, choose<Greatest>),
    AGPUSIM_PTX_SCALAR("vshl", AGPUSIM_PTX_SHIFT "clamp|wrap", Op::shift, choose_shift<true>),
    AGPUSIM_PTX_SCALAR("vshr", AGPUSIM_PTX_SHIFT "sat? clamp|wrap", Op::shift, choose_shift<false>),
    AGPUSIM_PTX_SCALAR("vset", AGPUSIM_PTX_SET, Op::compare, choose_set),
    {"vmad", AGPUSIM_PTX_TYPES "sat?", "Uggg", arithmetic, Op::multiply, choose_mad, one},
    {"vmad", AGPUSIM_PTX_TYPES "po sat?", "Ueeu", arithmetic, Op::multiply, choose_mad, one},
    AGPUSIM_PTX_SIMD("vadd", AGPUSIM_PTX_TYPES "sat|add?", Op::add, choose<Add>),
    AGPUSIM_PTX_SIMD("vsub", AGPUSIM_PTX_TYPES "sat|add?", Op::add, choose<Subtract>),
    AGPUSIM_PTX_SIMD("vavrg", AGPUSIM_PTX_TYPES "sat|add?", Op::add, choose<Average>),
    AGPUSIM_PTX_SIMD("vabsdiff", AGPUSIM_PTX_TYPES "sat|add?", Op::add, choose<Difference>),
    AGPUSIM_PTX_SIMD("vmin", AGPUSIM_PTX_TYPES "sat|add?", Op::minimum, choose<Least>),
    AGPUSIM_PTX_SIMD("vmax", AGPUSIM_PTX_TYPES "sat|add?", Op::minimum, choose<Greatest>),
    AGPUSIM_PTX_SIMD("vset", AGPUSIM_PTX_SET " add?", Op::compare, choose_set),
};

}  // namespace

std::span<const Opcode> video_rows() { return rows; }

}  // namespace agpusim::ptx
