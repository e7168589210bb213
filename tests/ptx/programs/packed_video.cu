// The video instructions, which no function of CUDA gives: types, selectors, second operations.

// In the order of the results: a spelling, the selectors of d, a and b, and the third operand.
// clang-format off
#define PACKED_TYPES(each, op, more, ...) \
  each(op ".u32.u32.u32" more, __VA_ARGS__) \
  each(op ".u32.u32.s32" more, __VA_ARGS__) \
  each(op ".u32.s32.u32" more, __VA_ARGS__) \
  each(op ".u32.s32.s32" more, __VA_ARGS__) \
  each(op ".s32.u32.u32" more, __VA_ARGS__) \
  each(op ".s32.u32.s32" more, __VA_ARGS__) \
  each(op ".s32.s32.u32" more, __VA_ARGS__) \
  each(op ".s32.s32.s32" more, __VA_ARGS__)
#define PACKED_SCALAR(each, op) \
  PACKED_TYPES(each, op, "", "", "", "", "") \
  each(op ".s32.s32.u32", "", ".b3", ".h1", "") each(op ".u32.u32.s32", "", ".h0", ".b2", "") \
  each(op ".u32.s32.s32.add", "", "", ".b0", ", %3") \
  each(op ".s32.s32.s32.add", "", ".h1", ".b1", ", %3") \
  each(op ".u32.u32.u32.add", "", ".b1", "", ", %3")
#define PACKED_SHIFT(each, op, mode) \
  each(op ".u32.u32.u32." mode, "", "", ".b0", "") \
  each(op ".s32.s32.u32." mode, "", ".h1", "", "") \
  each(op ".u32.s32.u32." mode, "", "", ".b1", "") \
  each(op ".s32.u32.u32." mode, "", ".b3", ".b2", "") \
  each(op ".s32.s32.u32." mode ".add", "", "", ".b3", ", %3") \
  each(op ".u32.u32.u32." mode ".add", "", "", ".b0", ", %3")
#define PACKED_SHIFT_SAT(each, mode) \
  each("vshr.u32.s32.u32.sat." mode, "", "", ".b1", "") \
  each("vshr.s32.u32.u32.sat." mode, "", ".b3", ".b2", "")
#define PACKED_SET(each, how) \
  each("vset.u32.u32." how, "", "", "", "") each("vset.s32.u32." how, "", ".b3", ".h0", "") \
  each("vset.u32.s32." how ".add", "", ".h1", "", ", %3") \
  each("vset.s32.s32." how ".add", "", "", "", ", %3") \
  each("vset.s32.s32." how, "", "", ".b2", "") \
  each("vset2.u32.u32." how, "", "", "", ", %3") \
  each("vset2.s32.u32." how ".add", "", ".h31", ".h20", ", %3") \
  each("vset4.s32.s32." how, ".b20", "", "", ", %3") \
  each("vset4.u32.s32." how ".add", "", "", "", ", %3")
#define PACKED_SIMD(each, op) \
  PACKED_TYPES(each, op "2", "", "", "", "", ", %3") \
  PACKED_TYPES(each, op "4", ".sat", "", "", "", ", %3") \
  each(op "2.u32.u32.u32.sat", "", "", "", ", %3") \
  each(op "2.s32.s32.s32.sat", ".h1", ".h23", "", ", %3") \
  each(op "2.u32.s32.s32.sat", ".h0", "", ".h10", ", %3") \
  each(op "2.s32.s32.s32.add", "", "", "", ", %3") \
  each(op "2.u32.u32.s32.add", ".h1", ".h30", ".h12", ", %3") \
  each(op "4.u32.u32.u32", "", "", "", ", %3") \
  each(op "4.s32.s32.s32", ".b310", ".b7531", ".b0264", ", %3") \
  each(op "4.u32.s32.u32.add", ".b21", ".b4444", "", ", %3") \
  each(op "4.s32.s32.s32.add", "", "", "", ", %3")
#define PACKED_VIDEO(each) \
  PACKED_SCALAR(each, "vadd") PACKED_SCALAR(each, "vsub") PACKED_SCALAR(each, "vabsdiff") \
  PACKED_SCALAR(each, "vmin") PACKED_SCALAR(each, "vmax") \
  PACKED_SHIFT(each, "vshl", "clamp") PACKED_SHIFT(each, "vshl", "wrap") \
  PACKED_SHIFT(each, "vshr", "clamp") PACKED_SHIFT(each, "vshr", "wrap") \
  PACKED_SHIFT_SAT(each, "clamp") PACKED_SHIFT_SAT(each, "wrap") \
  PACKED_SET(each, "eq") PACKED_SET(each, "ne") PACKED_SET(each, "lt") \
  PACKED_SET(each, "le") PACKED_SET(each, "gt") PACKED_SET(each, "ge") \
  PACKED_SIMD(each, "vadd") PACKED_SIMD(each, "vsub") PACKED_SIMD(each, "vavrg") \
  PACKED_SIMD(each, "vabsdiff") PACKED_SIMD(each, "vmin") PACKED_SIMD(each, "vmax")
// The operands of vmad with their signs.
#define PACKED_MAD(each) \
  each(".u32.u32.u32", "", "", "", "", "") each(".s32.s32.s32", "", "", "", "", "") \
  each(".s32.u32.s32", "", ".b3", "", ".h1", "") each(".s32.u32.u32", "-", "", "", "", "") \
  each(".s32.u32.u32", "", "", "", "", "-") each(".u32.u32.u32", "-", ".h0", "-", ".b2", "") \
  each(".s32.s32.s32", "", ".h1", "-", "", "") each(".s32.s32.s32.sat", "", "", "", "", "") \
  each(".s32.s32.s32.sat", "", ".h0", "", ".h1", "-") \
  each(".s32.s32.s32.po.sat", "", "", "", "", "") \
  each(".u32.u32.u32.po", "", ".b0", "", ".b1", "")
// clang-format on
#define PACKED_VIDEO_EDGES                                                                    \
  {                                                                                           \
    0, 1, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x7FFF8000, 0x80007FFF, 0x80808080, 0x7F7F7F7F, \
        0xFF00FF00, 0x00010020, 0x20211F01                                                    \
  }

#ifndef HOST

// run: grid=1 block=256 shared=0 args=in:u32:768:random,out:u32:78848:zeros
extern "C" __global__ void packed_video(const unsigned* in, unsigned* out) {
  const unsigned edge[] = PACKED_VIDEO_EDGES;
  const unsigned t = threadIdx.x;
  const unsigned a = t < 144 ? edge[t / 12] : in[t], b = t < 144 ? edge[t % 12] : in[256 + t];
  const unsigned c = t % 2 == 0 ? edge[t / 2 % 12] : in[512 + t];
  unsigned* to = out + t;
#define PACKED_ASM(spelling, d, a_part, b_part, third)       \
  asm(spelling " %0" d ", %1" a_part ", %2" b_part third ";" \
      : "=r"(*to)                                            \
      : "r"(a), "r"(b), "r"(c));                             \
  to += 256;
#define PACKED_ASM_MAD(types, a_sign, a_part, b_sign, b_part, c_sign)                   \
  asm("vmad" types " %0, " a_sign "%1" a_part ", " b_sign "%2" b_part ", " c_sign "%3;" \
      : "=r"(*to)                                                                       \
      : "r"(a), "r"(b), "r"(c));                                                        \
  to += 256;
  PACKED_VIDEO(PACKED_ASM)
  PACKED_MAD(PACKED_ASM_MAD)
}

#else

#include <sstream>
#include <string>

/// An instruction as its text says, and its sources as bytes: those of b behind those of a.
struct PackedVideo {
  using Number = __int128;
  std::string name;
  std::vector<std::string> types;  // with what stands behind them
  std::vector<int> bytes;
  std::uint32_t c;
  int count = 1;  // elements

  PackedVideo(const std::string& spelling, std::uint32_t a, std::uint32_t b, std::uint32_t third)
      : c(third) {
    std::istringstream parts(spelling);
    std::getline(parts, name, '.');
    for (std::string part; std::getline(parts, part, '.');) types.push_back(part);
    if (name == "vset2" || name == "vset4" || name == "vset") types.insert(types.begin(), "u32");
    for (const std::uint32_t word : {a, b})
      for (int byte = 0; byte < 4; ++byte) bytes.push_back(word >> 8 * byte & 0xFF);
    if (name.back() == '2' || name.back() == '4') count = name.back() - '0';
    if (count > 1) name.pop_back();
  }
  bool has(const std::string& modifier) const {
    return std::find(types.begin(), types.end(), modifier) != types.end();
  }
  bool is_signed(std::size_t type) const { return types[type] == "s32"; }
  static Number power(int bits) { return bits == 0 ? 1 : 2 * power(bits - 1); }

  /// Element k of a (operand 1) or b (operand 2).
  Number element(std::string part, int operand, int k) const {
    if (count == 2 && part.empty()) part = operand == 1 ? ".h10" : ".h32";
    if (count == 4 && part.empty()) part = operand == 1 ? ".b3210" : ".b7654";
    const int size = part.empty() ? 4 : part[1] == 'h' ? 2 : 1;
    int begin = part.empty() ? 0 : size * (part[part.size() - 1 - k] - '0');
    if (count == 1 && operand == 2) begin += 4;
    Number value = 0;
    for (int byte = size - 1; byte >= 0; --byte) value = 256 * value + bytes[begin + byte];
    const bool is_negative = is_signed(operand) && bytes[begin + size - 1] >= 128;
    return is_negative ? value - power(8 * size) : value;
  }
  Number of(Number x, Number y) const {
    if (name == "vadd") return x + y;
    if (name == "vsub") return x - y;
    if (name == "vabsdiff") return x > y ? x - y : y - x;
    if (name == "vmin") return x < y ? x : y;
    if (name == "vmax") return x > y ? x : y;
    if (name == "vavrg") return x + y >= 0 ? (x + y + 1) / 2 : -((1 - x - y) / 2);
    const int by = static_cast<int>(has("wrap") ? y % 32 : y > 32 ? 32 : y);
    if (name == "vshl") return x * power(by);
    if (name == "vshr") return (x - ((x % power(by)) + power(by)) % power(by)) / power(by);
    return has("eq")   ? x == y
           : has("ne") ? x != y
           : has("lt") ? x < y
           : has("le") ? x <= y
           : has("gt") ? x > y
                       : x >= y;
  }
  static Number clamped(Number value, int bits, bool is_signed) {
    const Number least = is_signed ? -power(bits - 1) : 0;
    return std::min(std::max(value, least), least + power(bits) - 1);
  }
  Number third(bool is_signed) const {
    return is_signed ? Number{static_cast<std::int32_t>(c)} : Number{c};
  }

  std::uint32_t result(const std::string& d, const std::string& a, const std::string& b) const {
    const int size = count > 1 ? 4 / count : d.empty() ? 4 : d[1] == 'h' ? 2 : 1;
    std::uint32_t merged = c;
    Number sum = 0;
    for (int k = 0; k < count; ++k) {
      int place = k;
      if (count == 1) place = d.empty() ? 0 : d[2] - '0';
      if (!d.empty() && d.find(static_cast<char>('0' + place)) == d.npos) continue;
      Number value = of(element(a, 1, k), element(b, 2, k));
      if (has("sat")) value = clamped(value, 8 * size, is_signed(0));
      sum += value;
      for (int byte = size * place; byte < size * (place + 1); ++byte, value >>= 8) {
        merged = merged & ~(0xFFU << 8 * byte) | static_cast<std::uint32_t>(value & 0xFF)
                                                     << 8 * byte;
      }
    }
    const Number last = third(is_signed(0));
    return has("add") ? static_cast<std::uint32_t>(sum + last) : merged;
  }
  /// The result of vmad.
  std::uint32_t sum(bool minus_product, bool minus_c, const std::string& a,
                    const std::string& b) const {
    const bool any_sign = is_signed(1) || is_signed(2) || minus_product || minus_c;
    const Number product = element(a, 1, 0) * element(b, 2, 0);
    Number value = (minus_product ? -product : product) + has("po");
    value += minus_c ? -third(true) : third(any_sign);
    return static_cast<std::uint32_t>(has("sat") ? clamped(value, 32, any_sign) : value);
  }
};

void packed_video_reference(const std::uint32_t* in, std::uint32_t* out) {
  const std::uint32_t edge[] = PACKED_VIDEO_EDGES;
  for (unsigned t = 0; t < 256; ++t) {
    const std::uint32_t x = t < 144 ? edge[t / 12] : in[t],
                        y = t < 144 ? edge[t % 12] : in[256 + t];
    const std::uint32_t z = t % 2 == 0 ? edge[t / 2 % 12] : in[512 + t];
    auto* to = out + t;
#define PACKED_RESULT(spelling, d, a, b, third)         \
  *to = PackedVideo(spelling, x, y, z).result(d, a, b); \
  to += 256;
#define PACKED_RESULT_MAD(types, a_sign, a, b_sign, b, c_sign)                                     \
  *to = PackedVideo("vmad" types, x, y, z).sum(std::string(a_sign) != b_sign, *c_sign != 0, a, b); \
  to += 256;
    PACKED_VIDEO(PACKED_RESULT)
    PACKED_MAD(PACKED_RESULT_MAD)
  }
}

#endif
