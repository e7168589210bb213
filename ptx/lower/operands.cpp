#include "agpusim/ptx/lower/operands.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include <fmt/format.h>

#include "agpusim/ptx/lower/callees.hpp"
#include "agpusim/ptx/lower/control.hpp"

namespace agpusim::ptx {
namespace {

struct SpecialName {
  std::string_view name;
  Special special;
};
constexpr SpecialName special_names[] = {
    {"%tid.x", Special::tid_x},
    {"%tid.y", Special::tid_y},
    {"%tid.z", Special::tid_z},
    {"%ntid.x", Special::ntid_x},
    {"%ntid.y", Special::ntid_y},
    {"%ntid.z", Special::ntid_z},
    {"%ctaid.x", Special::ctaid_x},
    {"%ctaid.y", Special::ctaid_y},
    {"%ctaid.z", Special::ctaid_z},
    {"%nctaid.x", Special::nctaid_x},
    {"%nctaid.y", Special::nctaid_y},
    {"%nctaid.z", Special::nctaid_z},
    {"%laneid", Special::laneid},
    {"%warpid", Special::warpid},
    {"%nwarpid", Special::nwarpid},
    {"%smid", Special::smid},
    {"%nsmid", Special::nsmid},
    {"%gridid", Special::gridid},
    {"%envreg1", Special::envreg1},
    {"%envreg2", Special::envreg2},
    {"%lanemask_eq", Special::lanemask_eq},
    {"%lanemask_le", Special::lanemask_le},
    {"%lanemask_lt", Special::lanemask_lt},
    {"%lanemask_ge", Special::lanemask_ge},
    {"%lanemask_gt", Special::lanemask_gt},
    {"%dynamic_smem_size", Special::dynamic_smem_size},
    {"%total_smem_size", Special::total_smem_size},
    {"%cluster_ctarank", Special::cluster_rank},
    {"%cluster_ctaid.x", Special::cluster_rank},
    {"%cluster_ctaid.y", Special::cluster_rank},
    {"%cluster_ctaid.z", Special::cluster_rank},
    {"%cluster_nctarank", Special::cluster_size},
    {"%cluster_nctaid.x", Special::cluster_size},
    {"%cluster_nctaid.y", Special::cluster_size},
    {"%cluster_nctaid.z", Special::cluster_size},
    {"%clusterid.x", Special::ctaid_x},
    {"%clusterid.y", Special::ctaid_y},
    {"%clusterid.z", Special::ctaid_z},
    {"%nclusterid.x", Special::nctaid_x},
    {"%nclusterid.y", Special::nctaid_y},
    {"%nclusterid.z", Special::nctaid_z},
};

/// A float where a double is needed, or the other way round.
std::uint64_t converted(const Operand& operand) {
  if (operand.single) {
    return std::bit_cast<std::uint64_t>(
        double{std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))});
  }
  return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
}

TextureForm texture_form(const Spelling& spelling) {
  TextureForm form;
  for (const std::string_view modifier : spelling.modifiers) {
    form.is_cube = form.is_cube || modifier.ends_with("cube");
    if (modifier.size() > 1 && modifier.back() == 'd')
      form.directions = static_cast<std::uint8_t>(modifier.end()[-2] - '0');
    form.is_layered = form.is_layered || (modifier.size() > 2 && modifier[0] == 'a');
  }
  if (form.is_cube) form.directions = 2;
  form.is_whole = spelling.type[1] == Type::s32;
  if (spelling.has("clamp")) form.boundary = TextureForm::clamp;
  if (spelling.has("zero")) form.boundary = TextureForm::zero;
  return form;
}

}  // namespace

std::uint8_t expected_bytes(char letter, const Spelling& spelling) {
  letter = letter == 'Y' ? 'd' : static_cast<char>(letter | 0x20);
  const auto of = [](Type type) { return static_cast<std::uint8_t>(std::max(2U, bytes_of(type))); };
  switch (letter) {
    case 'u':
    case 'm':
    case 'e':
    case 'g':
      return 4;
    case 'b':
      return 8;
    case 's':
      return of(spelling.type[1]);
    case 'w':
      return static_cast<std::uint8_t>(2 * bytes_of(spelling.type[0]));
    case 'y':
      return of(spelling.type[1] == Type::none ? spelling.type[0] : spelling.type[1]);
    default:
      return of(spelling.type[0]);
  }
}

void memory_modifiers(Instruction& result, const Spelling& spelling) {
  result.space = Space::reg;
  for (const std::string_view modifier : spelling.modifiers) {
    if (modifier == "global") result.space = Space::global;
    if (modifier.starts_with("shared")) result.space = Space::shared;
    if (modifier == "local") result.space = Space::local;
    if (modifier == "const") result.space = Space::constant;
    if (modifier.starts_with("param")) result.space = Space::param;
    if (modifier == "v2") result.count = 2;
    if (modifier == "v4") result.count = 4;
    if (modifier == "v8") result.count = 8;
    const bool orders = modifier == "acquire" || modifier == "release" || modifier == "acq_rel";
    if (orders && modifier != "release") result.flags |= Access::acquires;
    if (orders && modifier != "acquire") result.flags |= Access::releases;
    if (modifier == "cta" || modifier == "cluster") result.flags |= Access::of_cta;
    if (modifier == "sys") result.flags |= Access::of_system;
    if (modifier == "volatile") result.flags |= Access::is_volatile;
    if (orders || modifier == "volatile" || modifier == "relaxed" || modifier == "mmio") {
      result.flags |= Access::strong;
    }
    // Libraries order the end of an mbarrier by atomic operations.
    const bool ends = modifier == "test_wait" || modifier == "try_wait" || modifier == "inval";
    if (ends) result.flags |= Access::strong;
  }
}

void FragmentPlaces::append(Instruction instruction, Program& program) const {
  Instruction other;
  other.execute = &nothing;
  other.guard = instruction.guard;
  other.statement = instruction.statement;
  if (!inputs.empty() || !results.empty()) {
    Source unbilled = program.sources.back();
    unbilled.bill = Bill::free;
    program.sources.insert(program.sources.end() - 1, unbilled);
    ++instruction.statement;
  }
  const auto add = [&](Instruction one, const std::vector<Place>& places, std::size_t from) {
    for (std::size_t p = 0; p < fragment_places && from + p < places.size(); ++p) {
      one.place[1 + p] = places[from + p];
      if (&places == &results) one.writes |= static_cast<std::uint8_t>(2U << p);
    }
    program.code.push_back(one);
  };
  for (std::size_t end = (inputs.size() + fragment_places - 1) / fragment_places; end-- > 0;) {
    add(other, inputs, end * fragment_places);
  }
  add(instruction, results, 0);
  if (!results.empty()) other.place[0] = results[0];  // all are there when the first is
  for (std::size_t r = fragment_places; r < results.size(); r += fragment_places) {
    add(other, results, r);
  }
}

std::optional<std::uint32_t> Operands::shared_offset(std::string_view name) const {
  for (const auto& [known, offset] : flow_.shared_variables) {
    if (known == name) return offset;
  }
  return std::nullopt;
}
std::int32_t Operands::symbol(std::string_view name) {
  if (program_.module->variable(name) == nullptr) refuse(fmt::format("the address of {}", name));
  const auto known = std::find(program_.symbols.begin(), program_.symbols.end(), name);
  if (known != program_.symbols.end()) {
    return static_cast<std::int32_t>(known - program_.symbols.begin());
  }
  program_.symbols.emplace_back(name);
  return static_cast<std::int32_t>(program_.symbols.size()) - 1;
}

bool Operands::has_letter(std::string_view letters) const {
  return step_->row != nullptr &&
         step_->row->operands.find_first_of(letters) != std::string_view::npos;
}
void Operands::fail(std::string_view what) const {
  throw PtxError(step_->statement->line,
                 fmt::format("{} cannot have {}", step_->statement->opcode, what));
}

std::int64_t Operands::immediate() const {
  if (!has_letter("eg")) return step_->row->immediate;
  auto result = std::bit_cast<Selection>(step_->row->immediate);
  const auto& operands = step_->statement->operands;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const char letter = letter_of(*step_->row, i);
    const bool is_selected = operands[i].kind == Operand::Kind::reg && !operands[i].name.empty();
    if (operands[i].negated) {
      if (letter != 'g') fail("a minus sign here");
      result.minus ^= i == 3 ? 2 : 1;
    }
    if (!is_selected) continue;
    if (letter == 'u' || letter == 'U' || i == 3) fail("a selector here");
    select(result, operands[i].name, i);
  }
  if (result.minus == 3) fail("both minus signs");
  return std::bit_cast<std::int64_t>(result);
}

/// Operand i is d, a or b. A selector has one digit for each element, ".b3210"; of d, those that
/// are written.
void Operands::select(Selection& selection, std::string_view selector, std::size_t i) const {
  const std::uint32_t whole = std::bit_cast<Selection>(step_->row->immediate).bytes_a;
  const std::uint32_t unit = selector[1] == 'b' ? 1 : 2;  // bytes
  const std::size_t elements = 4 / whole;
  const std::string_view digits = selector.substr(2);
  const auto require = [&](bool holds) {
    if (!holds) fail(fmt::format("the selector {}", selector));
  };
  require((selector[1] == 'b' || selector[1] == 'h') && (whole == 4 || whole == unit));
  require(i == 0 ? digits.size() - 1 < elements : digits.size() == elements);
  std::uint32_t limit = (whole == 4 || i == 0 ? 4 : 8) / unit;
  std::uint32_t first = 0xFFFF;
  std::uint32_t written = 0;
  for (const char digit : digits) {
    const auto number = static_cast<std::uint32_t>(digit - '0');
    require(number < limit);
    if (i == 0) limit = number;
    first = first << 4 | (number * unit + (whole == 4 && i == 2 ? 4 : 0));
    written |= ((1U << unit) - 1) << number * unit;
  }
  if (i == 0) {
    selection.written = static_cast<std::uint8_t>(written);
  } else {
    (i == 1 ? selection.first_a : selection.first_b) = static_cast<std::uint16_t>(first);
    (i == 1 ? selection.bytes_a : selection.bytes_b) = static_cast<std::uint8_t>(unit);
  }
}

std::uint32_t Operands::register_of(const Operand& operand) const {
  if (!operand.name.empty() && !has_letter("eg"))
    fail(fmt::format("the selector {}", operand.name));
  return flow_.frames[step_->frame].first_register + operand.index;
}

Place Operands::predicate(const Operand& operand, bool is_written) {
  if (operand.kind == Operand::Kind::integer && !is_written) {
    return constant(operand.bits != 0 ? all_lanes : 0, 0, -1);
  }
  if (operand.kind == Operand::Kind::special && operand.name == "%is_explicit_cluster") {
    return constant(0, 0, -1);
  }
  if (operand.kind != Operand::Kind::reg || places_.bytes[register_of(operand)] != 0) {
    throw PtxError(step_->statement->line,
                   fmt::format("{} needs a predicate", step_->statement->opcode));
  }
  return places_.place[register_of(operand)] | Place{operand.negated && !is_written};
}

Place Operands::value(const Operand& operand, std::uint8_t bytes, bool may_be_wider,
                      std::uint8_t* has) {
  if (has != nullptr) *has = bytes;
  if (operand.negated && !has_letter("g")) fail("a negated operand");
  switch (operand.kind) {
    case Operand::Kind::reg: {
      const std::uint32_t r = register_of(operand);
      if (places_.bytes[r] != bytes && !(may_be_wider && places_.bytes[r] > bytes)) {
        throw PtxError(
            step_->statement->line,
            fmt::format("{} has {} bits, and {} needs {}",
                        flow_.frames[step_->frame].function->registers[operand.index].name,
                        8 * places_.bytes[r], step_->statement->opcode, 8 * bytes));
      }
      if (has != nullptr) *has = places_.bytes[r];
      return places_.place[r];
    }
    case Operand::Kind::integer:
      return constant(operand.bits, bytes, -1);
    case Operand::Kind::floating:
      return constant(operand.single == (bytes == 4) ? operand.bits : converted(operand), bytes,
                      -1);
    case Operand::Kind::variable: {
      const Frame& frame = flow_.frames[step_->frame];
      const Placed& placed = frame.variables[operand.index];
      const std::uint64_t offset = placed.offset + static_cast<std::uint64_t>(operand.offset);
      if (placed.kind != Placed::Kind::local || !frame.is_recursive) {
        return constant(offset, bytes, -1);
      }
      const std::size_t before = program_.constants.size();
      const Place place = constant(offset, bytes, -2 - static_cast<std::int32_t>(step_->frame));
      if (program_.constants.size() > before) {
        program_.local_rows.push_back({place, bytes, step_->frame});
      }
      return place;
    }
    case Operand::Kind::symbol: {
      const auto addend = static_cast<std::uint64_t>(operand.offset);
      if (const auto offset = shared_offset(operand.name)) {
        return constant(*offset + addend, bytes, -1);
      }
      if (const auto address = function_address(*program_.module, operand.name)) {
        return constant(address, bytes, -1);
      }
      return constant(addend, bytes, symbol(operand.name));
    }
    case Operand::Kind::special:
      return special(operand.name, bytes);
    default:
      throw PtxError(step_->statement->line,
                     fmt::format("{} cannot have this operand", step_->statement->opcode));
  }
}
Place Operands::special(std::string_view name, std::uint8_t bytes) {
  if (name == "WARP_SZ") return constant(warp_lanes, bytes, -1);
  if (name.starts_with("%clock") || name.starts_with("%globaltimer")) {
    is_clock = true;
    return constant(0, bytes, -1);
  }
  const auto* const row =
      std::find_if(std::begin(special_names), std::end(special_names),
                   [&](const SpecialName& known) { return known.name == name; });
  if (row == std::end(special_names)) refuse(std::string(name));
  const auto [entry, is_new] = specials_.try_emplace({row->special, bytes}, 0);
  if (is_new) {
    entry->second = take(warp_lanes * bytes);
    program_.specials.push_back({row->special, bytes, entry->second});
  }
  return entry->second;
}

Place Operands::constant(std::uint64_t bits, std::uint8_t bytes, std::int32_t of_symbol) {
  if (bytes > 0 && bytes < 8) bits &= (std::uint64_t{1} << 8 * bytes) - 1;
  const auto [entry, is_new] = constants_.try_emplace({bits, bytes, of_symbol}, 0);
  if (is_new) {
    entry->second = take(bytes == 0 ? sizeof(Lanes) : warp_lanes * bytes);
    program_.constants.push_back({entry->second, bytes, bits, of_symbol});
  }
  return entry->second;
}
void Operands::fragment(const Operand& operand, const Spelling& spelling, bool is_written,
                        FragmentPlaces& places) {
  const std::uint8_t bytes = has_letter("o")                 ? expected_bytes('t', spelling)
                             : spelling.type[0] == Type::f64 ? 8
                                                             : 4;
  for (const Operand& element : operand.elements) {
    const bool is_lost = is_written && element.kind == Operand::Kind::sink;
    places.add(is_lost ? no_place : value(element, bytes, false, nullptr), is_written);
  }
}
std::vector<Place> Operands::texel(const Operand& operand, const Spelling& spelling,
                                   Instruction& result) {
  const TextureForm form = texture_form(spelling);
  const std::size_t needed = form.directions + std::size_t{form.is_layered} + form.is_cube;
  const auto& parts = operand.elements;
  if (operand.kind != Operand::Kind::address || parts.size() != 2 ||
      parts[0].kind != Operand::Kind::reg || parts[1].elements.size() < needed ||
      parts[1].elements.size() > TextureForm::coordinates) {
    refuse(fmt::format("this form of address of {}", step_->statement->opcode));
  }
  result.space = Space::global;
  result.immediate = std::bit_cast<std::int64_t>(form);
  result.place[0] = value(parts[0], 8, false, nullptr);
  std::vector<Place> places(TextureForm::coordinates, no_place);
  for (std::size_t k = 0; k < parts[1].elements.size(); ++k) {
    places[k] = value(parts[1].elements[k], 4, false, nullptr);
  }
  return places;
}
Place Operands::addresses() {
  if (addresses_ == no_place) addresses_ = take(warp_lanes * 8);
  return addresses_;
}
Place Operands::take(std::uint32_t bytes) {
  const Place place = program_.row_bytes;
  program_.row_bytes += (bytes + 63) / 64 * 64;
  return place;
}
std::uint64_t Operands::number(const Operand& operand) const {
  if (operand.kind == Operand::Kind::integer) return operand.bits;
  throw PtxError(step_->statement->line,
                 fmt::format("{} needs a number", step_->statement->opcode));
}

void Operands::refuse(const std::string& what) const {
  throw refusal(*program_.module, flow_, *step_, what);
}

}  // namespace agpusim::ptx
