// Every instruction of the table that a lane executes by itself, against a slow reference.
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "agpusim/ptx/run/worker.hpp"
#include "agpusim/tests/ptx/lane_reference.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/tests/support/seed.hpp"

namespace agpusim::ptx {
namespace {

/// A warp without a kernel, for instructions that touch nothing but registers.
class LoneWarp {
 public:
  LoneWarp()
      : plan_{program_, spec_, options_, memory_, {}, {}, 0, 0, 0, 0, {}, {}},
        worker_(plan_),
        cta_(worker_, plan_) {
    warp.rows = rows_.data();
  }

  template <class T>
  T& lane(Place place, std::uint32_t l) {
    return warp.row<T>(place)[l];
  }
  [[nodiscard]] std::uint64_t bits(Place place, std::size_t bytes, std::uint32_t l) {
    std::uint64_t value = 0;
    std::memcpy(&value, warp.rows + place + l * bytes, bytes);
    return value;
  }
  void set_bits(Place place, std::size_t bytes, std::uint32_t l, std::uint64_t value) {
    std::memcpy(warp.rows + place + l * bytes, &value, bytes);
  }

 private:
  Program program_;
  AgpuSpec spec_;
  Options options_;
  Memory memory_{spec_};
  LaunchPlan plan_;
  Worker worker_;
  Cta cta_;
  alignas(64) std::array<std::byte, 64 + 8 * 256> rows_{};

 public:
  Warp warp{cta_, 0};
};

// Where the operands of a test lie: predicates first, rows behind them.
constexpr Place carry_place = 0;
constexpr Place first_place = 4;
constexpr Place second_place = 8;
constexpr Place read_place = 12;
constexpr Place other_place = 16;
constexpr Place row_place(std::size_t i) { return static_cast<Place>(64 + 256 * i); }

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    if (end > begin) parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// All spellings of a row.
std::vector<std::string> spellings(const Opcode& row) {
  std::vector<std::string> all = {std::string(row.name)};
  for (std::string slot : split(row.modifiers, ' ')) {
    const bool optional = slot.back() == '?';
    if (optional) slot.pop_back();
    std::vector<std::string> longer;
    if (optional) longer = all;
    for (const std::string& alternative : split(slot, '|')) {
      for (const std::string& begin : all) longer.push_back(begin + "." + alternative);
    }
    all = std::move(longer);
  }
  return all;
}

/// The type of an operand, by its letter.
Type type_of(char letter, const Spelling& spelling) {
  const int lower = std::tolower(letter);
  if (lower == 's' || letter == 'y') return spelling.type[1];
  if (lower == 'u' || lower == 'm') return Type::u32;
  return lower == 'w' ? doubled(spelling.type[0]) : spelling.type[0];
}

/// Values at which something happens, and others.
class Values {
 public:
  explicit Values(std::uint64_t seed) : random_(seed) {}

  std::uint64_t operator()(Type type) {
    const std::uint64_t any = random_();
    const std::uint64_t kind = random_() % 4;
    const bool is_number = is_float(type) || is_half(type);
    if (kind == 0) return any;
    if (kind == 1) return is_number ? near_one(type) : any % 71;
    return is_number ? special(type) : edge(type);
  }
  std::uint64_t any() { return random_(); }

 private:
  std::uint64_t edge(Type type) {
    const std::uint64_t sign = std::uint64_t{1} << (8 * bytes_of(type) - 1);
    const std::uint64_t edges[] = {0,        1,     2,          sign,   sign - 1,   sign + 1,
                                   ~0ULL,    ~1ULL, 0x80,       0xFF,   0x8000,     31,
                                   32,       33,    63,         64,     0x7F,       255,
                                   0x7FFFFF, 1000,  0x80000000, 0xFFFF, 0xFFFFFFFF, 0x1000001};
    return edges[random_() % std::size(edges)];
  }
  /// A number near 1 in magnitude, so that digits meet, or a small whole or half number.
  std::uint64_t near_one(Type type) {
    const double spread = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random_())),
                                     -63 + static_cast<int>(random_() % 40) - 15);
    return of(type, random_() % 2 == 0 ? spread : static_cast<double>(random_() % 600) / 2 - 100);
  }
  std::uint64_t special(Type type) {
    // Small numbers, whole ones and none; then where f64, f16, f32 and bf16 end or lose digits.
    const double wide[][19] = {
        {0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 127.5, 255.5, 1.0 / 3, INFINITY, std::nan(""), 0x1p31,
         0x1p32, 0x1p63, 0x1p64, 0x1.ffffffep30, 0x1.ffffffffffffp62, 0x1p-1074, 0x1p-1022},
        {0x1p1023, 0x1p-14, 0x1p-24, 0x1p-25, 0x1.8p-25, 0x1.001p0, 0x1.ffp-15, 65504.0, 65519.0,
         65520.0, 0x1p-126, 0x1p-149, 0x1.000001p0, 0x1.fffffep127, 0x1p126, 0x1p127, 0x1p-133,
         0x1.fep-127, 0x1.01p0}};
    const double value = wide[random_() % 2][random_() % 19];
    // A last bit more or less.
    return of(type, random_() % 2 == 0 ? value : -value) +
           (random_() % 4 == 0 ? random_() % 3 - 1 : 0);
  }
  std::uint64_t of(Type type, double value) {
    if (type == Type::f64) return std::bit_cast<std::uint64_t>(value);
    const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    if (type == Type::f32) return single;
    if (type == Type::bf16) return single >> 16;
    if (type == Type::bf16x2) return single >> 16 | (random_() & 0x3) << 30 | 0x3F800000;
    // f16: exponent and digits moved, where they fit.
    const std::uint64_t moved = single >> 16 & 0x8000;
    const double size = std::fabs(value);
    std::uint64_t half = size != size ? 0x7E01 : size >= 65536 ? 0x7C00 : 0;
    if (size < 0x1p-14) half = static_cast<std::uint64_t>(std::ldexp(size, 24));
    if (size >= 0x1p-14 && size < 65536) half = ((single & 0x7FFFFFFF) - 0x38000000) >> 13;
    half |= moved;
    return type == Type::f16 ? half : half | (random_() & 0xFFFF) << 16;
  }

  std::mt19937_64 random_;
};

LaneOut reference(const Opcode& row, const Spelling& spelling, const LaneIn& in) {
  if (row.name == "cvt") return convert_reference(spelling, in);
  const Type type = spelling.type[0];
  const Type last = spelling.type[1] == Type::none ? type : spelling.type[1];
  const bool is_bits = row.op == Op::logic || row.op == Op::shift || row.op == Op::truth ||
                       row.op == Op::select || row.op == Op::compare || row.name == "mov";
  if (is_half(type) || is_half(last)) return half_reference(row.name, spelling, in);
  if (row.name == "copysign" || row.name == "testp") return float_reference(row.name, spelling, in);
  if (is_bits) return bit_reference(row.name, spelling, in);
  if (is_float(type)) return float_reference(row.name, spelling, in);
  return integer_reference(row.name, spelling, in);
}

bool agree(const Spelling& spelling, const LaneOut& expected, std::uint64_t got) {
  if (expected.any || expected.bits == got) return true;
  const Type type = spelling.type[0];
  const bool both = type == Type::f16x2 || type == Type::bf16x2;
  const Type one = type == Type::f16x2 ? Type::f16 : type == Type::bf16x2 ? Type::bf16 : type;
  for (int part = 0; part < (both ? 2 : 1); ++part) {
    const double x = number_of(one, both ? expected.bits >> 16 * part & 0xFFFF : expected.bits);
    const double y = number_of(one, both ? got >> 16 * part & 0xFFFF : got);
    if (std::isnan(x) && std::isnan(y) && expected.any_nan) continue;
    if (expected.relative == 0 && (x != y || std::signbit(x) != std::signbit(y))) return false;
    if (expected.relative == 0 && x == y) continue;
    const bool is_close = std::fabs(x - y) <= std::fabs(x) * expected.relative + expected.absolute;
    if (x != y && !is_close) return false;
  }
  return expected.relative != 0 || expected.any_nan;
}

/// Whether lanes execute it by themselves, without memory.
bool is_lane_operation(const Opcode& row) {
  const auto is_in = [&](std::span<const Opcode> rows) {
    for (const Opcode& other : rows) {
      if (other.name == row.name && other.modifiers == row.modifiers &&
          other.operands == row.operands) {
        return true;
      }
    }
    return false;
  };
  return row.bill != Bill::memory && !is_in(memory_rows()) && !is_in(async_rows()) &&
         !is_in(collective_rows()) && !is_in(control_rows()) && !is_in(tensor_rows()) &&
         !is_in(packed_rows()) && !is_in(video_rows());
}

struct Slots {
  Instruction instruction;
  std::vector<std::pair<std::size_t, Type>> sources;  // rows that are read
  std::size_t result_bytes = 0;                       // bytes of row 0
  bool writes_predicates = false;
};

/// Gives operands their places. Vectors have a test of their own.
Slots place_operands(const Opcode& row, Spelling& spelling, std::size_t wide_result,
                     std::size_t wide_source) {
  Slots slots;
  Instruction& i = slots.instruction;
  i.immediate = row.immediate;
  std::size_t next = 0;
  std::size_t next_row = 1;
  bool reads_predicate = false;
  std::string letters(row.operands);
  std::erase(letters, '.');
  for (std::size_t k = 0; k < letters.size(); ++k) {
    const char letter = letters[k];
    const Type type = type_of(letter, spelling);
    const std::size_t bytes = std::max(2U, bytes_of(type));
    if (letter == 'Q' || letter == 'P') {
      i.place[next++] = first_place;
      if (letter == 'Q') i.place[next++] = second_place;
      slots.writes_predicates = true;
    } else if (letter == 'p') {
      i.place[next++] = reads_predicate ? other_place : read_place;
      reads_predicate = true;
    } else if (letter == 'i') {
      continue;
    } else if (std::isupper(letter) != 0) {
      slots.result_bytes = wide_result == 0 ? bytes : wide_result;
      spelling.bytes[k] = static_cast<std::uint8_t>(slots.result_bytes);
      i.place[next++] = row_place(0);
      if (letter == 'R') ++next;
    } else {
      spelling.bytes[k] = static_cast<std::uint8_t>(wide_source == 0 ? bytes : wide_source);
      i.place[next++] = row_place(next_row);
      slots.sources.emplace_back(next_row++, type);
    }
  }
  return slots;
}

/// Executes it on lanes of such values and compares; false where the row has no such spelling.
bool check(LoneWarp& lone, Values& values, const Opcode& row, const std::string& text,
           std::size_t wide_result = 0, std::size_t wide_source = 0) {
  Spelling spelling;
  std::string letters(row.operands);
  std::erase(letters, '.');
  const std::vector<Operand> operands(letters.size(), Operand{Operand::Kind::reg});
  const Opcode* const found = row_of(text, operands, spelling);
  INFO(text);
  REQUIRE(found != nullptr);
  Slots slots = place_operands(row, spelling, wide_result, wide_source);
  const Execute execute = row.choose(spelling);
  if (execute == nullptr) return false;
  INFO("registers of " << int{spelling.bytes[0]} << " and " << int{spelling.bytes[1]} << " bytes");
  for (int round = 0; round < 6; ++round) {
    Instruction& instruction = slots.instruction;
    if (row.operands.find('i') != std::string_view::npos) {
      instruction.immediate = static_cast<std::int64_t>(values.any() & 0xFF);
    }
    std::array<LaneIn, warp_lanes> in;
    std::array<std::uint64_t, warp_lanes> before;
    for (const Place place : {carry_place, first_place, second_place, read_place, other_place}) {
      lone.lane<Lanes>(place, 0) = static_cast<Lanes>(values.any());
    }
    const Lanes carries = lone.lane<Lanes>(carry_place, 0);
    const Lanes firsts = lone.lane<Lanes>(first_place, 0);
    const Lanes read = lone.lane<Lanes>(read_place, 0);
    const Lanes other = lone.lane<Lanes>(other_place, 0);
    for (std::uint32_t l = 0; l < warp_lanes; ++l) {
      before[l] = values.any() >> (64 - 8 * std::max<std::size_t>(slots.result_bytes, 1));
      if (slots.result_bytes != 0) lone.set_bits(row_place(0), slots.result_bytes, l, before[l]);
      for (std::size_t s = 0; s < slots.sources.size(); ++s) {
        const auto [number, type] = slots.sources[s];
        const std::size_t bytes =
            wide_source != 0 ? wide_source : std::max<std::size_t>(2, bytes_of(type));
        std::uint64_t value = values(type);
        // Above the value's own bits there may be anything.
        if (bytes > bytes_of(type)) value ^= values.any() << 8 * bytes_of(type);
        lone.set_bits(row_place(number), bytes, l, value);
        in[l].bits[s] = lone.bits(row_place(number), bytes, l);
      }
      in[l].predicate = (read >> l & 1) != 0;
      in[l].other = (other >> l & 1) != 0;
      in[l].carry = (carries >> l & 1) != 0;
      in[l].immediate = instruction.immediate;
    }
    lone.warp.active = round == 0 ? all_lanes : static_cast<Lanes>(values.any());
    execute(lone.warp, instruction);
    for (std::uint32_t l = 0; l < warp_lanes; ++l) {
      const bool active = (lone.warp.active >> l & 1) != 0;
      const LaneOut out = reference(row, spelling, in[l]);
      if (out.unknown) FAIL("no reference");
      const std::uint64_t got =
          slots.result_bytes == 0 ? 0 : lone.bits(row_place(0), slots.result_bytes, l);
      const auto predicate = [&](Place place) {
        return (lone.lane<Lanes>(place, 0) >> l & 1) != 0;
      };
      bool right =
          slots.result_bytes == 0 || (active ? agree(spelling, out, got) : got == before[l]);
      if (slots.writes_predicates) {
        const bool second = slots.instruction.place[1] == second_place;
        right = active ? predicate(first_place) == out.first &&
                             (!second || predicate(second_place) == out.second)
                       : predicate(first_place) == ((firsts >> l & 1) != 0);
      }
      if (spelling.has("cc") && active) right = right && predicate(carry_place) == out.carry;
      if (right) continue;
      INFO(fmt::format("{:#x} {:#x} {:#x} {:#x}, {} {} {}, {:#x}", in[l].bits[0], in[l].bits[1],
                       in[l].bits[2], in[l].bits[3], in[l].predicate, in[l].other, in[l].carry,
                       in[l].immediate));
      INFO(fmt::format("{} got {:#x} {} {}, expected {:#x} {} {}", active, got,
                       predicate(first_place), predicate(second_place), out.bits, out.first,
                       out.second));
      CHECK(right);
      return true;
    }
  }
  return true;
}

TEST_CASE("lanes get what the document says from every instruction", "[ptx]") {
  INFO("seed " << test_seed());
  Values values(test_seed());
  LoneWarp lone;
  int checked = 0;
  for (const Opcode& row : opcodes()) {
    if (!is_lane_operation(row) || row.operands.find_first_of("vV") != std::string_view::npos)
      continue;
    int of_row = 0;
    for (const std::string& text : spellings(row)) {
      if (check(lone, values, row, text)) ++of_row;
      if (row.operands != "Yy") continue;
      for (const std::size_t result : {2U, 4U, 8U}) {
        for (const std::size_t source : {2U, 4U, 8U}) {
          if (values.any() % 4 == 0) check(lone, values, row, text, result, source);
        }
      }
    }
    INFO(row.name << " " << row.modifiers);
    CHECK(of_row > 0);
    checked += of_row;
  }
  CHECK(checked > 3000);
}

TEST_CASE("registers are packed into one and taken out of it", "[ptx]") {
  Values values(test_seed());
  LoneWarp lone;
  for (const Opcode& row : bit_rows()) {
    const bool unpacks = row.operands == "Vt";
    if (row.operands != "Dv" && !unpacks) continue;
    for (const auto& [bytes, count] : {std::pair{2, 2}, {4, 2}, {2, 4}}) {
      Instruction i;
      i.count = static_cast<std::uint8_t>(count);
      i.bytes = static_cast<std::uint8_t>(bytes);
      for (std::size_t k = 0; k <= i.count; ++k) i.place[k] = row_place(k);
      const std::size_t width = std::size_t{i.bytes} * i.count;
      for (std::uint32_t l = 0; l < warp_lanes; ++l) {
        lone.set_bits(row_place(0), width, l, values.any());
        for (std::size_t k = 1; k <= i.count; ++k)
          lone.set_bits(row_place(k), i.bytes, l, values.any());
      }
      lone.warp.active = all_lanes;
      row.choose({})(lone.warp, i);
      for (std::uint32_t l = 0; l < warp_lanes; ++l) {
        std::uint64_t parts = 0;
        for (std::size_t k = i.count; k > 0; --k) {
          parts = parts << 8 * i.bytes | lone.bits(row_place(k), i.bytes, l);
        }
        REQUIRE(lone.bits(row_place(0), width, l) == parts);
      }
    }
  }
}

}  // namespace
}  // namespace agpusim::ptx
