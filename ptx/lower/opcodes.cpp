#include "agpusim/ptx/lower/opcodes.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace agpusim::ptx {
namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

struct Slot {
  std::vector<std::string_view> alternatives;
  bool optional = false;
};

/// A row whose modifiers are taken apart.
struct Row {
  const Opcode* opcode;
  std::vector<Slot> slots;
  std::string letters;  // one for each operand
  std::size_t least;    // operands that must be there

  explicit Row(const Opcode& row) : opcode(&row) {
    for (std::string_view slot : split(row.modifiers, ' ')) {
      const bool optional = slot.back() == '?';
      if (optional) slot.remove_suffix(1);
      slots.push_back({split(slot, '|'), optional});
    }
    least = std::min(row.operands.find('.'), row.operands.size());
    letters = row.operands;
    std::erase(letters, '.');
  }
  [[nodiscard]] bool matches(std::span<const Operand> operands) const {
    if (operands.size() < least || operands.size() > letters.size()) return false;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool is_vector = operands[i].kind == Operand::Kind::vector;
      const auto letter = static_cast<char>(letters[i] | 0x20);  // in small
      const bool needs_vector = letter == 'v' || letter == 'f';
      if (letter != 'x' && letter != 'z' && needs_vector != is_vector) return false;
      if ((letter == 'l') != (operands[i].kind == Operand::Kind::label)) return false;
    }
    return true;
  }
  [[nodiscard]] bool matches(const std::vector<std::string_view>& modifiers) const {
    std::size_t next = 0;
    for (const Slot& slot : slots) {
      if (next < modifiers.size() && std::find(slot.alternatives.begin(), slot.alternatives.end(),
                                               modifiers[next]) != slot.alternatives.end()) {
        ++next;
      } else if (!slot.optional) {
        return false;
      }
    }
    return next == modifiers.size();
  }
};

/// Where the manual has a modifier of `atom`: order, scope, space, then all others.
int place_of(std::string_view modifier) {
  constexpr std::string_view known[] = {"relaxed acquire release acq_rel", "cta cluster gpu sys",
                                        "global shared shared::cta shared::cluster"};
  const auto* const found = std::find_if(std::begin(known), std::end(known), [&](auto names) {
    const auto all = split(names, ' ');
    return std::find(all.begin(), all.end(), modifier) != all.end();
  });
  return static_cast<int>(found - std::begin(known));
}

const std::unordered_multimap<std::string_view, Row>& rows_by_name() {
  static const auto rows = [] {
    std::unordered_multimap<std::string_view, Row> result;
    for (const Opcode& row : opcodes()) result.emplace(row.name, row);
    return result;
  }();
  return rows;
}

}  // namespace

bool Spelling::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

std::uint32_t Spelling::shape() const {
  for (const std::string_view modifier : modifiers) {
    if (modifier[0] != 'm' || modifier.find('n') == modifier.npos) continue;
    std::uint32_t numbers[3] = {};
    std::size_t at = 0;
    for (const char c : modifier.substr(1)) {
      if (c == 'n' || c == 'k') {
        ++at;
      } else {
        numbers[at] = 10 * numbers[at] + static_cast<std::uint32_t>(c - '0');
      }
    }
    return numbers[0] << 16 | numbers[1] << 8 | numbers[2];
  }
  return 0;
}

const std::vector<Opcode>& opcodes() {
  static const std::vector<Opcode> all = [] {
    std::vector<Opcode> rows;
    for (const auto& part : {integer_rows(), bit_rows(), float_rows(), half_rows(), convert_rows(),
                             packed_rows(), video_rows(), memory_rows(), texture_rows(),
                             async_rows(), collective_rows(), tensor_rows(), control_rows()}) {
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }();
  return all;
}

const Opcode* row_of(std::string_view opcode, std::span<const Operand> operands,
                     Spelling& spelling) {
  const std::size_t dot = std::min(opcode.find('.'), opcode.size());
  spelling = {};
  spelling.modifiers = split(opcode.substr(dot), '.');
  std::size_t types = 0;
  for (const std::string_view modifier : spelling.modifiers) {
    const Type type = type_named(modifier);
    if (type != Type::none && types < spelling.type.size()) spelling.type[types++] = type;
  }
  const auto rows = rows_by_name().equal_range(opcode.substr(0, dot));
  const auto find = [&]() -> const Opcode* {
    const auto found = std::find_if(rows.first, rows.second, [&](const auto& row) {
      return row.second.matches(operands) && row.second.matches(spelling.modifiers);
    });
    return found == rows.second ? nullptr : found->second.opcode;
  };
  if (const Opcode* const found = find()) return found;
  // libcu++ writes atom.add.relaxed.gpu.u32, Triton atom.global.gpu.acq_rel.add.u32.
  if (!opcode.starts_with("atom.")) return nullptr;
  std::stable_sort(
      spelling.modifiers.begin(), spelling.modifiers.end(),
      [](std::string_view a, std::string_view b) { return place_of(a) < place_of(b); });
  return find();
}

std::string refused_names() {
  // All names of the PTX ISA 9.0, chapter 9.7; those that have a row are left out.
  constexpr std::string_view documented[] = {
      "abs",          "activemask",    "add",       "addc",       "alloca",
      "and",          "applypriority", "atom",      "bar",        "barrier",
      "bfe",          "bfi",           "bfind",     "bmsk",       "bra",
      "brev",         "brkpt",         "brx",       "call",       "clusterlaunchcontrol",
      "clz",          "cnot",          "copysign",  "cos",        "cp",
      "createpolicy", "cvt",           "cvta",      "discard",    "div",
      "dp2a",         "dp4a",          "elect",     "ex2",        "exit",
      "fence",        "fma",           "fns",       "getctarank", "griddepcontrol",
      "isspacep",     "istypep",       "ld",        "ldmatrix",   "ldu",
      "lg2",          "lop3",          "mad",       "mad24",      "madc",
      "mapa",         "match",         "max",       "mbarrier",   "membar",
      "min",          "mma",           "mov",       "movmatrix",  "mul",
      "mul24",        "multimem",      "nanosleep", "neg",        "not",
      "or",           "pmevent",       "popc",      "prefetch",   "prefetchu",
      "prmt",         "rcp",           "red",       "redux",      "rem",
      "ret",          "rsqrt",         "sad",       "selp",       "set",
      "setmaxnreg",   "setp",          "shf",       "shfl",       "shl",
      "shr",          "sin",           "slct",      "sqrt",       "st",
      "stackrestore", "stacksave",     "stmatrix",  "sub",        "subc",
      "suld",         "suq",           "sured",     "sust",       "szext",
      "tanh",         "tcgen05",       "tensormap", "testp",      "tex",
      "tld4",         "trap",          "txq",       "vabsdiff",   "vabsdiff2",
      "vabsdiff4",    "vadd",          "vadd2",     "vadd4",      "vavrg2",
      "vavrg4",       "vmad",          "vmax",      "vmax2",      "vmax4",
      "vmin",         "vmin2",         "vmin4",     "vote",       "vset",
      "vset2",        "vset4",         "vshl",      "vshr",       "vsub",
      "vsub2",        "vsub4",         "wgmma",     "wmma",       "xor"};
  std::string text;
  for (const std::string_view name : documented) {
    const bool by_flow = name == "call" || name == "exit" || name == "ret";
    if (!by_flow && !rows_by_name().contains(name)) text += fmt::format(" {}", name);
  }
  return text;
}

std::string opcode_table() {
  std::string text;
  for (const Opcode& row : opcodes()) {
    text += fmt::format("{:<12} {:<9} {}\n", row.name, row.operands, row.modifiers);
  }
  text += fmt::format("refused where they are executed:{}\n", refused_names());
  return text;
}

}  // namespace agpusim::ptx
