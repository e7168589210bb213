#include "agpusim/ptx/text/body.hpp"

#include <utility>

#include <fmt/format.h>

namespace agpusim::ptx {
namespace {

constexpr std::size_t most_scopes = 100;
constexpr std::uint64_t most_registers = std::uint64_t{1} << 20;  // limit of a function

std::uint32_t size32(std::size_t size) { return static_cast<std::uint32_t>(size); }

/// The place of .x, .y, .z, .w or .r, .g, .b, .a in a vector; nothing where it is none.
std::optional<std::uint32_t> component(std::string_view name) {
  for (const std::string_view letters : {"xyzw", "rgba"}) {
    const std::size_t place = name.size() == 1 ? letters.find(name[0]) : std::string_view::npos;
    if (place != std::string_view::npos) return size32(place);
  }
  return std::nullopt;
}

}  // namespace

Body::Body(Tokens& tokens, Declarations& declarations, Function& function, std::vector<Use>& uses)
    : tokens_(tokens),
      declarations_(declarations),
      function_(function),
      uses_(uses),
      parameters_(function.variables),
      locations_(function.sites) {
  scopes_.emplace_back().line = function.line;
  for (std::uint32_t i = 0; i < parameters_.size(); ++i) {
    const Variable& variable = parameters_[i];
    Name name{Name::Kind::variable, i};
    if (variable.space == Space::reg) {
      name = {Name::Kind::reg, size32(function.registers.size())};
      function.registers.push_back({variable.name, variable.type});
    }
    declare({variable.name, variable.line}, name);
  }
}

void Body::parse() {
  while (!scopes_.empty()) {
    const Token& token = tokens_.peek();
    if (token.kind == Token::Kind::end) {
      throw PtxError(scopes_.back().line, "a { without its }");
    }
    if (token.is("{")) {
      if (scopes_.size() == most_scopes) tokens_.fail("more than 100 scopes in one another");
      scopes_.emplace_back().line = tokens_.take().line;
    } else if (token.is("}")) {
      tokens_.take();
      close_scope();
    } else if (token.kind == Token::Kind::directive) {
      directive();
    } else if (token.kind == Token::Kind::word && tokens_.after().is(":")) {
      label();
    } else {
      statement();
    }
  }
}

void Body::declare(const Use& use, const Name& name) {
  if (use.name == "_" || scopes_.back().names.emplace(use.name, name).second) return;
  throw PtxError(use.line, fmt::format("{} is declared twice", use.name));
}

const Body::Name* Body::find(std::string_view name) {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    const auto known = scopes_[i].names.find(name);
    if (known != scopes_[i].names.end()) return &known->second;
    const Name* const in_range = find_in_ranges(scopes_[i], name);
    if (in_range != nullptr) return in_range;
  }
  return nullptr;
}

/// "%r12" is the register 12 of "%r<44>", or 2 of "%r1<5>".
const Body::Name* Body::find_in_ranges(Scope& scope, std::string_view name) {
  if (scope.ranges.empty()) return nullptr;
  std::uint64_t number = 0;
  std::uint64_t unit = 1;
  for (std::size_t i = name.size(); i-- > 1 && unit <= most_registers; unit *= 10) {
    if (name[i] < '0' || name[i] > '9') break;
    number += static_cast<std::uint64_t>(name[i] - '0') * unit;
    if (name[i] == '0' && unit > 1) continue;
    const auto range = scope.ranges.find(name.substr(0, i));
    if (range == scope.ranges.end() || number >= range->second.count) continue;
    const Name reg{Name::Kind::reg, size32(function_.registers.size())};
    function_.registers.push_back({std::string(name), range->second.type});
    return &scope.names.emplace(name, reg).first->second;
  }
  return nullptr;
}

void Body::close_scope() {
  const Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  std::vector<Pending> outer;
  for (const Pending& pending : scope.pending) {
    const auto known = scope.names.find(pending.use.name);
    if (known == scope.names.end() ||
        (known->second.kind != Name::Kind::label && known->second.kind != Name::Kind::table)) {
      outer.push_back(pending);
      continue;
    }
    const bool is_label = known->second.kind == Name::Kind::label;
    if (pending.in_table) {
      if (!is_label) {
        throw PtxError(pending.use.line, fmt::format("{} is not a label", pending.use.name));
      }
      function_.tables[pending.owner][pending.place] = known->second.index;
      continue;
    }
    Operand& operand = function_.body[pending.owner].operands[pending.place];
    operand.kind = is_label ? Operand::Kind::label : Operand::Kind::table;
    operand.index = known->second.index;
  }
  if (scopes_.empty()) return end_function(outer);
  auto& waiting = scopes_.back().pending;
  waiting.insert(waiting.end(), outer.begin(), outer.end());
}

void Body::end_function(const std::vector<Pending>& pending) {
  for (const Pending& each : pending) {
    const bool is_label = each.in_table || function_.body[each.owner].opcode.starts_with("br");
    if (is_label) {
      throw PtxError(each.use.line, fmt::format("unknown label {}", each.use.name));
    }
    uses_.push_back(each.use);
  }
}

void Body::directive() {
  const Token token = tokens_.take();
  if (token.is(".reg")) return registers();
  if (token.is(".loc")) return location();
  if (token.is(".pragma")) {
    tokens_.expect(Token::Kind::string, "a string");
    return tokens_.expect(";");
  }
  const auto space = space_named(token.text);
  if (!space) throw PtxError(token.line, fmt::format("unknown directive {}", token.text));
  const Specifiers specifiers = declarations_.specifiers(*space);
  do {
    const std::string_view name = tokens_.peek().text;
    function_.variables.push_back(declarations_.variable(specifiers, false));
    declare({name, token.line}, {Name::Kind::variable, size32(function_.variables.size() - 1)});
  } while (tokens_.accept(","));
  tokens_.expect(";");
}

void Body::registers() {
  const Specifiers specifiers = declarations_.specifiers(Space::reg);
  do {
    const Token name = tokens_.expect(Token::Kind::word, "a name");
    std::uint64_t count = specifiers.components;
    const bool is_range = tokens_.accept("<");
    if (is_range) {
      count = tokens_.integer(UINT64_MAX);
      tokens_.expect(">");
      if (specifiers.components > 1) tokens_.fail("a range of vectors is not supported");
    }
    if (count > most_registers || (declared_registers_ += count) > most_registers) {
      throw PtxError(name.line, "a function of more than 2^20 registers");
    }
    if (is_range) {
      if (!scopes_.back().ranges.emplace(name.text, Range{specifiers.type, count}).second) {
        throw PtxError(name.line, fmt::format("{} is declared twice", name.text));
      }
      continue;
    }
    const auto first = size32(function_.registers.size());
    declare({name.text, name.line},
            {count > 1 ? Name::Kind::registers : Name::Kind::reg, first, size32(count)});
    for (std::uint64_t i = 0; i < count; ++i) {
      function_.registers.push_back({std::string(name.text), specifiers.type});
    }
  } while (tokens_.accept(","));
  tokens_.expect(";");
}

Location Body::position() {
  Location result;
  result.file = tokens_.integer32();
  result.line = tokens_.integer32();
  result.column = tokens_.integer32();
  return result;
}

/// ".loc 1 18 29, function_name f + 4, inlined_at 1 25 3", from its first number on.
void Body::location() {
  const Location at = position();
  std::optional<Location> caller;
  while (tokens_.accept(",")) {
    if (tokens_.accept("function_name")) {
      tokens_.expect(Token::Kind::word, "a name");
      tokens_.offset();
    } else {
      tokens_.expect("inlined_at");
      caller = position();
    }
  }
  locations_.set(at, caller);
}

void Body::label() {
  const Token name = tokens_.take();
  tokens_.take();
  const Use use{name.text, name.line};
  if (tokens_.accept(".branchtargets")) {
    const auto table = size32(function_.tables.size());
    declare(use, {Name::Kind::table, table});
    branch_targets(table);
  } else if (tokens_.accept(".callprototype")) {
    declare(use, {Name::Kind::table, size32(function_.prototypes.size())});
    call_prototype();
  } else if (tokens_.peek().is(".calltargets")) {
    throw PtxError(name.line, ".calltargets is not supported", ExitCode::unavailable);
  } else {
    declare(use, {Name::Kind::label, size32(function_.body.size())});
  }
}

void Body::branch_targets(std::uint32_t table) {
  auto& targets = function_.tables.emplace_back();
  do {
    const Token target = tokens_.expect(Token::Kind::word, "a label");
    scopes_.back().pending.push_back(
        {{target.text, target.line}, true, table, size32(targets.size())});
    targets.push_back(0);
  } while (tokens_.accept(","));
  tokens_.expect(";");
}

/// "(.param .b32 _) _ (.param .b32 _);"
void Body::call_prototype() {
  Signature signature;
  if (tokens_.accept("(")) signature.results = declarations_.parameters();
  tokens_.expect("_");
  if (tokens_.accept("(")) signature.parameters = declarations_.parameters();
  while (tokens_.peek().kind == Token::Kind::directive) {  // .noreturn
    tokens_.take();
    if (tokens_.peek().is_number()) tokens_.take();
  }
  tokens_.expect(";");
  function_.prototypes.push_back(std::move(signature));
}

void Body::statement() {
  Statement statement;
  statement.line = tokens_.peek().line;
  statement.site = locations_.current();
  if (tokens_.accept("@")) {
    statement.guard_negated = tokens_.accept("!");
    const Token guard = tokens_.expect(Token::Kind::word, "a predicate");
    const Operand operand = resolve(guard);
    if (operand.kind != Operand::Kind::reg ||
        function_.registers[operand.index].type != Type::pred) {
      throw PtxError(guard.line, fmt::format("the guard {} is not a predicate", guard.text));
    }
    statement.guard = static_cast<std::int32_t>(operand.index);
  }
  statement.opcode = tokens_.expect(Token::Kind::word, "an instruction").text;
  if (!tokens_.accept(";")) {
    do {
      const std::uint32_t line = tokens_.peek().line;
      statement.operands.push_back(operand(0));
      const Operand& last = statement.operands.back();
      if (last.kind != Operand::Kind::symbol) continue;
      scopes_.back().pending.push_back({{last.name, line},
                                        false,
                                        size32(function_.body.size()),
                                        size32(statement.operands.size() - 1)});
    } while (tokens_.accept(","));
    tokens_.expect(";");
  }
  function_.body.push_back(std::move(statement));
}

std::vector<Operand> Body::operands_until(std::string_view end, std::uint32_t depth) {
  constexpr std::uint32_t most_brackets = 8;
  if (depth == most_brackets) tokens_.fail("more than 8 brackets in one another");
  std::vector<Operand> result;
  if (tokens_.accept(end)) return result;
  do {
    result.push_back(operand(depth + 1));
  } while (tokens_.accept(","));
  tokens_.expect(end);
  return result;
}

Operand Body::operand(std::uint32_t depth) {
  Operand first = single_operand(depth);
  if (!tokens_.peek().is("|")) return first;
  tokens_.take();
  Operand pair;
  pair.kind = Operand::Kind::pair;
  pair.elements.push_back(std::move(first));
  pair.elements.push_back(single_operand(depth + 1));
  return pair;
}

Operand Body::single_operand(std::uint32_t depth) {
  const Token token = tokens_.peek();
  Operand result;
  if (token.is_number() || (token.is("-") && tokens_.after().is_number())) {
    const Number number = tokens_.number();
    result.kind = number.floating ? Operand::Kind::floating : Operand::Kind::integer;
    result.single = number.single;
    result.bits = number.bits;
  } else if (tokens_.accept("[")) {
    result.kind = Operand::Kind::address;
    result.elements = operands_until("]", depth);
    if (result.elements.empty()) throw PtxError(token.line, "an empty address");
    std::swap(result.offset, result.elements[0].offset);
  } else if (tokens_.accept("{")) {
    result.kind = Operand::Kind::vector;
    result.elements = operands_until("}", depth);
    if (result.elements.empty()) throw PtxError(token.line, "an empty vector");
  } else if (tokens_.accept("(")) {
    result.kind = Operand::Kind::group;
    result.elements = operands_until(")", depth);
  } else if (tokens_.accept("!") || tokens_.accept("-")) {
    result = named(depth);
    result.negated = true;
  } else {
    result = named(depth);
  }
  return result;
}

/// A name with its offset. Nothing nested can be a label.
Operand Body::named(std::uint32_t depth) {
  const Token token = tokens_.expect(Token::Kind::word, "an operand");
  Operand result = resolve(token);
  result.offset = tokens_.offset();
  if (depth > 0 && result.kind == Operand::Kind::symbol) uses_.push_back({token.text, token.line});
  return result;
}

Operand Body::resolve(const Token& token) {
  Operand result;
  if (token.is("_")) return result;
  const Name* name = find(token.text);
  const std::size_t dot = token.text.rfind('.');
  if (name == nullptr && dot != std::string_view::npos) {
    const Name* const whole = find(token.text.substr(0, dot));
    const auto place = component(token.text.substr(dot + 1));
    if (whole != nullptr && whole->kind == Name::Kind::registers &&
        place.value_or(8) < whole->count) {
      result.kind = Operand::Kind::reg;
      result.index = whole->index + *place;
      return result;
    }
    if (whole != nullptr && whole->kind == Name::Kind::reg) {
      result.kind = Operand::Kind::reg;
      result.index = whole->index;
      result.name = token.text.substr(dot);
      return result;
    }
  }
  result.name = token.text;
  if (name == nullptr || name->kind == Name::Kind::label || name->kind == Name::Kind::table) {
    const bool special = token.text.starts_with('%') || token.is("WARP_SZ");
    result.kind = special ? Operand::Kind::special : Operand::Kind::symbol;
    return result;
  }
  result.kind = name->kind == Name::Kind::variable ? Operand::Kind::variable : Operand::Kind::reg;
  result.index = name->index;
  if (name->kind != Name::Kind::variable) result.name = {};
  if (name->kind != Name::Kind::registers) return result;
  Operand vector;
  vector.kind = Operand::Kind::vector;
  for (std::uint32_t i = 0; i < name->count; ++i) {
    vector.elements.push_back(result);
    ++result.index;
  }
  return vector;
}

}  // namespace agpusim::ptx
