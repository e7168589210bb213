#include "agpusim/ptx/text/declarations.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace agpusim::ptx {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;          // limit of a variable
constexpr std::uint64_t most_initial_bytes = std::uint64_t{1} << 28;  // limit of a module
constexpr std::uint64_t most_alignment = 1U << 20;
constexpr std::size_t most_dimensions = 16;

/// The bits of a number as an element of this type; nothing where it does not fit.
std::optional<std::uint64_t> bits_as(Type type, const Number& number) {
  if (type == Type::f32 || type == Type::f64) {
    const auto single = std::bit_cast<float>(static_cast<std::uint32_t>(number.bits));
    const double value = !number.floating
                             ? static_cast<double>(static_cast<std::int64_t>(number.bits))
                         : number.single ? static_cast<double>(single)
                                         : std::bit_cast<double>(number.bits);
    if (type == Type::f64) return std::bit_cast<std::uint64_t>(value);
    if (number.single) return number.bits;
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  const std::uint32_t bits = bytes_of(type) * 8;
  if (number.floating) {
    if (bits != (number.single ? 32U : 64U)) return std::nullopt;
    return number.bits;
  }
  if (bits >= 64) return number.bits;
  const auto negative = static_cast<std::int64_t>(number.bits);
  const bool fits =
      number.bits >> bits == 0 || (negative < 0 && negative >= -(std::int64_t{1} << (bits - 1)));
  if (!fits) return std::nullopt;
  return number.bits;
}

}  // namespace

/// Extents from the outermost on, and the bytes of one element of each.
struct Declarations::Shape {
  std::vector<std::uint64_t> extents;
  std::vector<std::uint64_t> strides;
};

std::optional<Space> space_named(std::string_view directive) {
  constexpr std::array<std::pair<std::string_view, Space>, 6> spaces = {
      {{".reg", Space::reg},
       {".param", Space::param},
       {".local", Space::local},
       {".shared", Space::shared},
       {".global", Space::global},
       {".const", Space::constant}}};
  for (const auto& [name, space] : spaces) {
    if (name == directive) return space;
  }
  return std::nullopt;
}

bool Declarations::skip_group(std::string_view word) {
  bool has = false;
  tokens_.expect("(");
  for (std::uint32_t depth = 1; depth > 0;) {
    const Token token = tokens_.peek();
    if (token.kind == Token::Kind::end) tokens_.expect(")");
    has = has || token.is(word);
    if (token.is("(")) ++depth;
    if (token.is(")")) --depth;
    tokens_.take();
  }
  return has;
}

Specifiers Declarations::specifiers(Space space) {
  Specifiers result;
  result.space = space;
  bool is_pointer = false;
  while (tokens_.peek().kind == Token::Kind::directive) {
    const Token token = tokens_.take();
    if (token.is(".align")) {
      const std::uint64_t alignment = tokens_.integer(most_alignment);
      if (!std::has_single_bit(alignment)) {
        throw PtxError(token.line,
                       fmt::format("an alignment of {} bytes is not a power of 2", alignment));
      }
      if (!is_pointer) result.alignment = static_cast<std::uint32_t>(alignment);
    } else if (token.is(".v2") || token.is(".v4") || token.is(".v8")) {
      result.components = static_cast<std::uint32_t>(token.text[2] - '0');
    } else if (token.is(".attribute")) {
      result.is_managed = skip_group(".managed");
    } else if (token.is(".ptr")) {
      is_pointer = true;  // the space and alignment behind it are those of what it points to
    } else if (!(is_pointer && space_named(token.text))) {
      const Type type = type_named(token.text.substr(1));
      if (type == Type::none) {
        throw PtxError(token.line, fmt::format("{} is not a type that is supported", token.text),
                       ExitCode::unavailable);
      }
      if (result.type != Type::none) throw PtxError(token.line, "two types");
      result.type = type;
    }
  }
  if (result.type == Type::none) tokens_.fail("expected a type");
  return result;
}

void Declarations::dimensions(Shape& shape) {
  while (tokens_.accept("[")) {
    if (shape.extents.size() == most_dimensions)
      tokens_.fail("an array of more than 16 dimensions");
    const bool open = shape.extents.empty() && tokens_.peek().is("]");
    shape.extents.push_back(open ? 0 : tokens_.integer(most_bytes));
    if (!open && shape.extents.back() == 0) tokens_.fail("an array without elements");
    tokens_.expect("]");
  }
}

Variable Declarations::variable(const Specifiers& specifiers, bool may_lack_size) {
  Variable result;
  const Token name = tokens_.expect(Token::Kind::word, "a name");
  result.name = name.text;
  result.line = name.line;
  result.space = specifiers.space;
  result.type = specifiers.type;
  result.is_managed = specifiers.is_managed;
  if (result.type == Type::pred && result.space != Space::reg) {
    throw PtxError(name.line, "a predicate is in a register only");
  }
  Shape shape;
  dimensions(shape);
  const bool open = !shape.extents.empty() && shape.extents[0] == 0;
  if (specifiers.components > 1) shape.extents.push_back(specifiers.components);
  shape.strides.resize(shape.extents.size());
  std::uint64_t bytes = bytes_of(result.type);
  for (std::size_t i = shape.extents.size(); i-- > 0;) {
    shape.strides[i] = bytes;
    if (shape.extents[i] > most_bytes / bytes) {
      throw PtxError(name.line, fmt::format("{} has more than 2^40 bytes", name.text));
    }
    if (i > 0 || !open) bytes *= shape.extents[i];
  }
  const std::uint32_t natural = bytes_of(result.type) * specifiers.components;
  result.alignment = specifiers.alignment != 0 ? specifiers.alignment : natural;
  if (open) shape.extents[0] = most_bytes / bytes;
  result.bytes = open ? 0 : bytes;
  if (tokens_.accept("=")) {
    if (shape.extents.empty()) {
      initial_value(result, 0);
    } else {
      tokens_.expect("{");
      initial_values(result, shape, 0, 0);
    }
    if (open) result.bytes = (result.initial.size() + bytes - 1) / bytes * bytes;
  }
  if (result.bytes == 0 && !may_lack_size) {
    throw PtxError(name.line, fmt::format("the array {} has no size", name.text));
  }
  return result;
}

/// Reads initial values of one dimension; its { is taken. Inner braces may be left out.
void Declarations::initial_values(Variable& variable, Shape& shape, std::size_t level,
                                  std::uint64_t offset) {
  const std::uint64_t end = offset + shape.extents[level] * shape.strides[level];
  const std::uint32_t element = bytes_of(variable.type);
  while (!tokens_.peek().is("}")) {
    const bool nested = tokens_.peek().is("{");
    if (nested && level + 1 == shape.extents.size()) tokens_.fail("too many braces");
    const std::uint64_t bytes = nested ? shape.strides[level] : element;
    if (offset + bytes > end) {
      tokens_.fail(fmt::format("{} has more initial values than elements", variable.name));
    }
    if (nested) {
      tokens_.take();
      initial_values(variable, shape, level + 1, offset);
    } else {
      initial_value(variable, offset);
    }
    offset += bytes;
    if (!tokens_.accept(",")) break;
  }
  tokens_.expect("}");
}

void Declarations::initial_value(Variable& variable, std::uint64_t offset) {
  const std::uint32_t bytes = bytes_of(variable.type);
  const std::uint64_t held = variable.initial.size();
  if (offset + bytes > held) {
    initial_bytes_ += offset + bytes - held;
    if (initial_bytes_ > most_initial_bytes) tokens_.fail("more than 2^28 bytes of initial values");
    variable.initial.resize(offset + bytes);
  }
  const bool is_mask = tokens_.peek().is_number() && tokens_.after().is("(");
  if (tokens_.peek().kind == Token::Kind::word || is_mask) {
    Relocation symbol = relocation();
    if (!is_mask && bytes < 4)
      tokens_.fail(fmt::format("an address does not fit in {} bytes", bytes));
    symbol.offset = offset;
    symbol.bytes = std::min(bytes, 8U);
    variable.relocations.push_back(std::move(symbol));
    return;
  }
  const Number number = tokens_.number();
  const auto bits = bits_as(variable.type, number);
  if (!bits) {
    tokens_.fail(fmt::format("an initial value of {} does not fit its type", variable.name));
  }
  std::memcpy(variable.initial.data() + offset, &*bits, std::min<std::size_t>(bytes, 8));
}

/// "symbol + 4", "generic(symbol) + 4" or "0xFF00(generic(symbol))".
Relocation Declarations::relocation() {
  Relocation result;
  const bool is_mask = tokens_.peek().is_number();
  if (is_mask) {
    result.mask = tokens_.integer(UINT64_MAX);
    if (result.mask == 0) tokens_.fail("a mask without bits");
    tokens_.expect("(");
  }
  result.generic = tokens_.peek().is("generic") && tokens_.after().is("(");
  if (result.generic) {
    tokens_.take();
    tokens_.take();
  }
  result.symbol = tokens_.expect(Token::Kind::word, "a name").text;
  result.addend = tokens_.offset();
  if (result.generic) {
    tokens_.expect(")");
    if (result.addend == 0) result.addend = tokens_.offset();
  }
  if (is_mask) tokens_.expect(")");
  return result;
}

std::vector<Variable> Declarations::parameters() {
  std::vector<Variable> result;
  if (tokens_.accept(")")) return result;
  do {
    const auto space = space_named(tokens_.peek().text);
    if (!space || (*space != Space::param && *space != Space::reg)) {
      tokens_.fail("expected .param");
    }
    tokens_.take();
    result.push_back(variable(specifiers(*space), true));
    if (!result.back().initial.empty()) tokens_.fail("a parameter has no initial value");
  } while (tokens_.accept(","));
  tokens_.expect(")");
  return result;
}

}  // namespace agpusim::ptx
