#include <algorithm>

#include "agpusim/tests/ptx/lane_reference.hpp"

namespace agpusim::ptx {
namespace {

__extension__ using UnsignedWhole = unsigned __int128;

int width_of(Type type) { return 8 * static_cast<int>(bytes_of(type)); }
bool bit(std::uint64_t bits, int at) { return (bits >> at & 1) != 0; }
std::uint64_t byte(std::uint64_t bits, int at) { return bits >> 8 * at & 0xFF; }

/// All bits of a * b + c as the upper and the lower half of the product are asked for.
Whole part_of_product(const Spelling& spelling, Type type, std::uint64_t a, std::uint64_t b) {
  const UnsignedWhole product = static_cast<UnsignedWhole>(integer_of(type, a)) *
                                static_cast<UnsignedWhole>(integer_of(type, b));
  if (!spelling.has("hi")) return static_cast<Whole>(product);
  // Shifted with the sign, if there is one.
  return is_signed(type) ? static_cast<Whole>(product) >> width_of(type)
                         : static_cast<Whole>(product >> width_of(type));
}
Whole clamped(Type type, Whole value) {
  const Whole most = (Whole{1} << (width_of(type) - 1)) - 1;
  return std::clamp(value, -most - 1, most);
}
Type unsigned_of(Type type) {
  const std::uint32_t bytes = bytes_of(type);
  return bytes == 2 ? Type::u16 : bytes == 4 ? Type::u32 : Type::u64;
}
Whole of_24_bits(Type type, std::uint64_t bits) {
  const Whole low = static_cast<Whole>(bits & 0xFFFFFF);
  return is_signed(type) && low >= 1 << 23 ? low - (1 << 24) : low;
}
Whole dot(const Spelling& spelling, const LaneIn& in, bool halves) {
  const bool a_signed = spelling.type[0] == Type::s32;
  const Type b_type = spelling.type[1] == Type::s32 ? Type::s8 : Type::u8;
  Whole sum = integer_of(Type::u32, in.bits[2]);
  for (int i = 0; i < (halves ? 2 : 4); ++i) {
    const Whole a = halves ? integer_of(a_signed ? Type::s16 : Type::u16, in.bits[0] >> 16 * i)
                           : integer_of(a_signed ? Type::s8 : Type::u8, byte(in.bits[0], i));
    const int at = halves && spelling.has("hi") ? i + 2 : i;
    sum += a * integer_of(b_type, byte(in.bits[1], at));
  }
  return sum;
}

}  // namespace

bool is_float(Type type) { return type == Type::f32 || type == Type::f64; }
bool is_half(Type type) {
  return type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2;
}
bool is_signed(Type type) {
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}
Type doubled(Type type) {
  return type == Type::u16   ? Type::u32
         : type == Type::s16 ? Type::s32
         : type == Type::u32 ? Type::u64
                             : Type::s64;
}
Whole integer_of(Type type, std::uint64_t bits) {
  const int width = width_of(type);
  const Whole low = static_cast<Whole>(bits) & ((Whole{1} << width) - 1);
  return is_signed(type) && bit(bits, width - 1) ? low - (Whole{1} << width) : low;
}
std::uint64_t bits_of(Type type, Whole value) {
  return static_cast<std::uint64_t>(value & ((Whole{1} << width_of(type)) - 1));
}
bool holds(std::string_view comparison, Whole a, Whole b) {
  if (comparison == "eq") return a == b;
  if (comparison == "ne") return a != b;
  if (comparison == "lt" || comparison == "lo") return a < b;
  if (comparison == "le" || comparison == "ls") return a <= b;
  if (comparison == "gt" || comparison == "hi") return a > b;
  return a >= b;
}
bool combine(const Spelling& spelling, bool value, bool other) {
  if (spelling.has("and")) return value && other;
  if (spelling.has("or")) return value || other;
  if (spelling.has("xor")) return value != other;
  return value;
}

LaneOut integer_reference(std::string_view name, const Spelling& spelling, const LaneIn& in) {
  const Type type = spelling.type[0];
  const Whole a = integer_of(type, in.bits[0]);
  const Whole b = integer_of(type, in.bits[1]);
  const Whole c = integer_of(type, in.bits[2]);
  LaneOut out;
  out.carry = in.carry;
  const auto result = [&](Whole value) {
    out.bits = bits_of(type, spelling.has("sat") ? clamped(type, value) : value);
    return out;
  };
  // A sum or difference of unsigned numbers; its carry is the bit above.
  const auto with_carry = [&](Whole value) {
    if (spelling.has("cc")) out.carry = (value >> width_of(type) & 1) != 0;
    return result(value);
  };
  const auto plain = [&](std::uint64_t bits) { return integer_of(unsigned_of(type), bits); };
  if (spelling.has("sat") && name == "add") return result(a + b);
  if (spelling.has("sat") && name == "sub") return result(a - b);
  if (name == "add" || name == "addc") {
    return with_carry(plain(in.bits[0]) + plain(in.bits[1]) + (name == "addc" && in.carry ? 1 : 0));
  }
  if (name == "sub" || name == "subc") {
    return with_carry(plain(in.bits[0]) - plain(in.bits[1]) - (name == "subc" && in.carry ? 1 : 0));
  }
  if ((name == "mul" || name == "mad") && spelling.has("wide")) {
    const Type wide = doubled(type);
    const Whole addend = name == "mad" ? integer_of(wide, in.bits[2]) : 0;
    out.bits = bits_of(wide, a * b + addend);
    return out;
  }
  if (name == "mul" || name == "mad" || name == "madc") {
    const Whole product = part_of_product(spelling, type, in.bits[0], in.bits[1]);
    if (name == "mul") return result(product);
    if (spelling.has("sat")) return result(product + c);
    return with_carry(plain(bits_of(type, product)) + plain(in.bits[2]) +
                      (name == "madc" && in.carry ? 1 : 0));
  }
  if (name == "mul24" || name == "mad24") {
    const Whole product = of_24_bits(type, in.bits[0]) * of_24_bits(type, in.bits[1]);
    return result((spelling.has("hi") ? product >> 16 : product) + (name == "mad24" ? c : 0));
  }
  if (name == "div" || name == "rem") {
    out.any = b == 0;
    return out.any ? out : result(name == "div" ? a / b : a % b);
  }
  if (name == "abs") return result(a < 0 ? -a : a);
  if (name == "neg") return result(-a);
  if (name == "min") return result(a < b ? a : b);
  if (name == "max") return result(a > b ? a : b);
  if (name == "sad") return result(c + (a < b ? b - a : a - b));
  if (name == "dp4a") return result(dot(spelling, in, false));
  if (name == "dp2a") return result(dot(spelling, in, true));
  out.unknown = true;
  return out;
}

LaneOut bit_reference(std::string_view name, const Spelling& spelling, const LaneIn& in) {
  const Type type = spelling.type[0];
  const int width = width_of(type);
  const auto [a, b, c, d] = in.bits;
  LaneOut out;
  const auto result = [&](std::uint64_t bits) {
    out.bits = bits_of(type, static_cast<Whole>(bits));
    return out;
  };
  if (type == Type::pred) {
    out.first = name == "and"   ? in.predicate && in.other
                : name == "or"  ? in.predicate || in.other
                : name == "xor" ? in.predicate != in.other
                : name == "not" ? !in.predicate
                                : in.predicate;
    return out;
  }
  if (name == "and") return result(a & b);
  if (name == "or") return result(a | b);
  if (name == "xor") return result(a ^ b);
  if (name == "not") return result(~a);
  if (name == "cnot") return result(a == 0 ? 1 : 0);
  if (name == "mov") return result(a);
  if (name == "selp") return result(in.predicate ? a : b);
  if (name == "slct") {
    const bool is_integer = spelling.type[1] == Type::s32;
    double number = is_integer ? 0 : number_of(Type::f32, c);
    if (spelling.has("ftz") && number > -0x1p-126 && number < 0x1p-126) number = 0;
    return result((is_integer ? integer_of(Type::s32, c) >= 0 : number >= 0) ? a : b);
  }
  if (name == "lop3") {
    for (int i = 0; i < 32; ++i) {
      const int row = (bit(a, i) ? 4 : 0) + (bit(b, i) ? 2 : 0) + (bit(c, i) ? 1 : 0);
      if (bit(static_cast<std::uint64_t>(in.immediate), row)) out.bits |= std::uint64_t{1} << i;
    }
    return out;
  }
  if (name == "shl") return result(b >= 64 ? 0 : a << b);
  if (name == "shr") {
    const auto by = static_cast<int>(std::min<std::uint64_t>(b, 64));
    out.bits = bits_of(type, integer_of(type, a) >> by);
    return out;
  }
  if (name == "shf") {
    const std::uint64_t by = spelling.has("wrap") ? c & 31 : std::min<std::uint64_t>(c, 32);
    return result(spelling.has("l") ? b << by | a >> (32 - by) : b << (32 - by) | a >> by);
  }
  int highest = -1;
  int ones = 0;
  std::uint64_t reversed = 0;
  const bool negative = is_signed(type) && bit(a, width - 1);
  for (int i = 0; i < width; ++i) {
    if (bit(a, i)) ++ones;
    if (bit(a, i) != negative) highest = i;
    if (bit(a, i)) reversed |= std::uint64_t{1} << (width - 1 - i);
  }
  out.bits = static_cast<std::uint64_t>(ones);
  if (name == "popc") return out;
  out.bits = static_cast<std::uint64_t>(width - 1 - highest);
  if (name == "clz") return out;
  if (name == "bfind") {
    if (highest < 0) out.bits = 0xFFFFFFFF;
    if (highest >= 0 && !spelling.has("shiftamt")) out.bits = static_cast<std::uint64_t>(highest);
    return out;
  }
  if (name == "brev") return result(reversed);
  if (name == "fns") {  // as the PTX ISA has it
    const auto offset = static_cast<std::int32_t>(c);
    std::int64_t position = static_cast<std::uint32_t>(b);
    out.bits = 0xFFFFFFFF;
    if (offset == 0 && position < 32 && bit(a, static_cast<int>(position))) return result(b);
    for (std::int64_t count = std::abs(std::int64_t{offset}) - 1;
         offset != 0 && position >= 0 && position<32; position += offset> 0 ? 1 : -1) {
      if (!bit(a, static_cast<int>(position))) continue;
      if (count-- == 0) return result(static_cast<std::uint64_t>(position));
    }
    return out;
  }
  if (name == "szext") {
    const auto by = static_cast<std::uint32_t>(b);
    const int kept = static_cast<int>(spelling.has("wrap") ? by % 32 : std::min(by, 32U));
    out.bits = 0;
    for (int i = 0; kept > 0 && i < 32; ++i) {
      const int from = is_signed(type) ? std::min(i, kept - 1) : i;
      if (from < kept && bit(a, from)) out.bits |= std::uint64_t{1} << i;
    }
    return out;
  }
  out.bits = 0;
  if (name == "bfe") {
    const int at = static_cast<int>(b & 0xFF);
    const int length = static_cast<int>(c & 0xFF);
    const bool sign = is_signed(type) && length != 0 && bit(a, std::min(at + length, width) - 1);
    for (int i = 0; i < width; ++i) {
      const bool value = i < length && at + i < width ? bit(a, at + i) : sign;
      if (value) out.bits |= std::uint64_t{1} << i;
    }
    return out;
  }
  if (name == "bfi") {
    const int at = static_cast<int>(c & 0xFF);
    const int length = static_cast<int>(d & 0xFF);
    out.bits = b;
    for (int i = 0; i < length && at + i < width; ++i) {
      out.bits &= ~(std::uint64_t{1} << (at + i));
      if (bit(a, i)) out.bits |= std::uint64_t{1} << (at + i);
    }
    return out;
  }
  if (name == "bmsk") {
    const std::uint64_t at = spelling.has("wrap") ? a & 31 : a;
    const std::uint64_t length = spelling.has("wrap") ? b & 31 : b;
    for (std::uint64_t i = 0; i < 32; ++i) {
      if (i >= at && i - at < length) out.bits |= std::uint64_t{1} << i;
    }
    return out;
  }
  if (name == "prmt") {
    // The selections by the lowest bits of c, as the document's tables have them: b3 b2 b1 b0.
    const std::pair<std::string_view, std::array<std::uint64_t, 4>> modes[] = {
        {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
        {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
        {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}},
    };
    std::uint64_t selection = c;
    for (const auto& [mode, rows] : modes) {
      if (spelling.has(mode)) selection = rows[c & 3];
    }
    for (int i = 0; i < 4; ++i) {
      const auto select = static_cast<int>(selection >> 4 * i & 15);
      std::uint64_t value = byte(b << 32 | a, select & 7);
      if ((select & 8) != 0) value = bit(value, 7) ? 0xFF : 0;
      out.bits |= value << 8 * i;
    }
    return out;
  }
  if (name == "setp" || name == "set") {
    const Type compared = spelling.type[name == "set" ? 1 : 0];
    const std::string_view how = spelling.modifiers[0];
    bool value = false;
    if (is_float(compared)) {
      double x = number_of(compared, a);
      double y = number_of(compared, b);
      const bool flushes = spelling.has("ftz") && compared == Type::f32;
      if (flushes && x > -0x1p-126 && x < 0x1p-126) x = 0;
      if (flushes && y > -0x1p-126 && y < 0x1p-126) y = 0;
      value = holds(how, x, y);
    } else {
      value = holds(how, integer_of(compared, a), integer_of(compared, b));
    }
    out.first = combine(spelling, value, in.predicate);
    out.second = combine(spelling, !value, in.predicate);
    if (name == "set" && out.first) out.bits = type == Type::f32 ? 0x3F800000 : 0xFFFFFFFF;
    return out;
  }
  out.unknown = true;
  return out;
}

}  // namespace agpusim::ptx
