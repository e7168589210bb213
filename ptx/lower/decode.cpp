#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/lower/calls.hpp"
#include "agpusim/ptx/lower/control.hpp"
#include "agpusim/ptx/lower/machine_instructions.hpp"
#include "agpusim/ptx/lower/operands.hpp"

namespace agpusim::ptx {
namespace {

constexpr std::uint32_t first_row = 64;  // before it: the carries of add.cc

class Decoder {
 public:
  Decoder(Program& program, const Flow& flow)
      : program_(program),
        flow_(flow),
        places_(place_registers(flow, first_row)),
        operands_(program, flow, places_) {}

  void decode() {
    program_.live_words = places_.live_words;
    program_.row_bytes = places_.end;
    program_.local_bytes = flow_.local_bytes;
    program_.call_bytes = flow_.call_bytes;
    program_.shared_bytes = flow_.shared_bytes;
    for (const std::uint32_t r : places_.at_begin) {
      if (places_.place[r] == no_place) continue;
      const std::uint32_t bytes = places_.bytes[r];
      program_.cleared.push_back({places_.place[r], bytes == 0 ? 4 : bytes * warp_lanes});
    }
    for (std::size_t p = 0; p < flow_.order.size(); ++p) piece(p);
    for (const auto& [code, step] : jumps_) {
      Instruction& jump = program_.code[code];
      jump.target = position_of(step);
      if (jump.target > code || jump.execute != &branch) continue;
      jump.execute = &branch_back;
      const auto first = order_of_[piece_at(step)];
      const auto last = order_of_[piece_of_code_[code]];
      jump.flags = waits_for_others(flow_, first, last) ? 1 : 0;
      for (std::size_t p = first; jump.flags != 0 && p <= last; ++p) {
        program_.code[program_.blocks[p].begin].flags = 1;
      }
    }
    for (const RecursiveCall& call : flow_.recursive_calls) recursion(call);
    for (const auto& table : flow_.tables) {
      std::vector<std::uint32_t>& positions = program_.tables.emplace_back();
      for (const std::uint32_t step : table) {
        // A branch that is never reached has a table that leads nowhere.
        positions.push_back(order_of_.contains(piece_at(step)) ? position_of(step) : 0);
      }
    }
  }

 private:
  void recursion(const RecursiveCall& call) {
    const bool comes_back = order_of_.contains(piece_at(call.step + 1));
    Recursion result;
    result.frame = call.frame;
    result.last_frame = call.last_frame;
    result.entry = position_of(call.entry);
    if (comes_back) result.back = position_of(call.step + 1);
    result.bytes = call.bytes;
    const Frame& frame = flow_.frames[call.frame];
    for (std::size_t v = 0; v < call.given.size(); ++v) {
      auto& moves = v < frame.function->results ? result.results : result.arguments;
      moves.push_back({call.given[v], frame.variables[v].offset,
                       static_cast<std::uint32_t>(frame.function->variables[v].bytes)});
    }
    program_.recursions.push_back(std::move(result));
    if (program_.recursions.size() > 1) return;
    program_.local_bytes += stack_bytes;
    std::set<Place> known;  // registers that do not live at once share a place
    for (std::size_t r = 0; r < places_.place.size(); ++r) {
      const Place place = places_.place[r];
      if (place == no_place || !known.insert(place).second) continue;
      program_.register_rows.push_back({place, places_.bytes[r], 0});
    }
  }
  [[nodiscard]] std::uint32_t piece_at(std::uint32_t step) const {
    const auto next =
        std::upper_bound(flow_.pieces.begin(), flow_.pieces.end(), step,
                         [](std::uint32_t at, const Piece& piece) { return at < piece.begin; });
    return static_cast<std::uint32_t>(next - flow_.pieces.begin()) - 1;
  }
  [[nodiscard]] std::uint32_t position_of(std::uint32_t step) const {
    return program_.blocks[order_of_.at(piece_at(step))].begin;
  }

  [[nodiscard]] std::uint32_t size() const {
    return static_cast<std::uint32_t>(program_.code.size());
  }

  void piece(std::size_t p) {
    const std::uint32_t number = flow_.order[p];
    const Piece& piece = flow_.pieces[number];
    order_of_[number] = static_cast<std::uint32_t>(p);
    Block block;
    block.begin = size();
    program_.code.emplace_back();
    Instruction begin;
    begin.execute = &enter;
    begin.target = static_cast<std::uint32_t>(p);
    for (std::uint32_t s = piece.begin; s < piece.end; ++s) {
      const Step& step = flow_.steps[s];
      piece_of_code_[size()] = number;
      const Instruction done = decoded(step);
      fragments_.append(done, program_);
      if (step.kind == Step::Kind::jump) {
        jumps_.emplace_back(size() - 1, step.target);
      }
      if (step.statement != nullptr && step.callee == nullptr) {
        ++block.instructions;
        Source& source = program_.sources.back();
        source.machine = machine_.of(source, *step.statement, step.frame);
        block.machine += source.machine;
      }
      if (program_.sources.back().bill == Bill::arithmetic && step.guard < 0) ++block.arithmetic;
      if (s > piece.begin || step.row == nullptr) continue;
      if (step.row->is_barrier || step.row->operands.find('m') != std::string_view::npos) {
        begin.execute = &enter_together;
        begin.place[0] = step.row->is_barrier ? no_place : mask_of(done);
      }
    }
    begin.immediate = block.arithmetic;
    begin.statement = program_.code[block.begin + 1].statement;
    program_.code[block.begin] = begin;
    // Where the piece behind it does not follow in the order, a jump takes its place.
    if (piece.falls_through) {
      const std::uint32_t behind = piece.next.front();
      if (p + 1 == flow_.order.size() || flow_.order[p + 1] != behind) {
        Instruction jump;
        jump.execute = &branch;
        jump.statement = program_.code.back().statement;
        piece_of_code_[size()] = number;
        jumps_.emplace_back(size(), flow_.pieces[behind].begin);
        program_.code.push_back(jump);
      }
    }
    block.end = size();
    program_.blocks.push_back(block);
  }

  /// The place of the member mask, which is the last operand.
  static Place mask_of(const Instruction& instruction) {
    std::size_t last = 0;
    for (std::size_t i = 0; i < instruction.place.size(); ++i) {
      if (instruction.place[i] != no_place) last = i;
    }
    return instruction.place[last];
  }

  Instruction decoded(const Step& step) {
    operands_.at(step);
    Source source;
    if (step.statement != nullptr) {
      source.opcode = step.statement->opcode;
      source.line = step.statement->line;
      source.site = flow_.sites.shown(step.site);
    } else if (!program_.sources.empty()) {
      source = program_.sources.back();
      source.bill = Bill::free;
    }
    if (step.row != nullptr && step.kind == Step::Kind::instruction) {
      source.bill = step.row->bill;
      source.op = step.row->op;
      source.is_collective =
          step.row->is_barrier || step.row->operands.find('m') != std::string_view::npos;
      source.wide = bytes_of(step.spelling.type[0]) == 8;
    }
    Instruction result;
    result.statement = static_cast<std::uint32_t>(program_.sources.size());
    if (step.guard >= 0) {
      result.guard =
          places_.place[static_cast<std::size_t>(step.guard)] | Place{step.guard_negated};
    }
    step_ = &step;
    fragments_ = {};
    try {
      operation(result, source);
    } catch (const PtxError& refusal) {
      if (refusal.code() != ExitCode::unavailable) throw;
      source.bill = Bill::free;
      result.place.fill(no_place);
      fragments_ = {};
      result.writes = 0;
      result.execute = &refuse;
      result.immediate = static_cast<std::int64_t>(program_.refusals.size());
      program_.refusals.push_back(refusal);
    }
    const bool guards_itself = step.kind == Step::Kind::exit || step.kind == Step::Kind::jump ||
                               result.execute == &branch_indexed;
    if (step.guard >= 0 && !guards_itself) {
      result.operation = result.execute;
      result.execute = &guarded;
    }
    program_.sources.push_back(source);
    return result;
  }

  void operation(Instruction& result, Source& source) {
    const Step& step = *step_;
    if (step.refusal >= 0) throw PtxError(flow_.refusals[static_cast<std::size_t>(step.refusal)]);
    if (step.callee != nullptr) {
      result.place[0] = operands_.value(*step.callee, 8, false, nullptr);
      result.immediate = static_cast<std::int64_t>(step.address);
    }
    if (step.kind == Step::Kind::exit) {
      result.execute = &exit_lanes;
    } else if (step.kind == Step::Kind::recurse) {
      result.execute = &agpusim::ptx::recurse;
      result.immediate = step.target;
    } else if (step.kind == Step::Kind::leave) {
      result.execute = &leave;
      result.immediate = step.frame;
    } else if (step.kind == Step::Kind::jump) {
      result.execute = step.callee == nullptr ? &branch : &branch_past;
    } else if (step.kind == Step::Kind::call && step.callee != nullptr) {
      result.execute = &call_unknown;
    } else if (step.kind == Step::Kind::call) {
      built_in(result);
    } else {
      instruction(result, source);
    }
  }

  void instruction(Instruction& result, Source& source) {
    const Opcode& row = *step_->row;
    Spelling spelling = step_->spelling;
    const auto& operands = step_->statement->operands;
    const bool is_memory = row.bill == Bill::memory;
    result.immediate = operands_.immediate();
    result.bytes = static_cast<std::uint8_t>(bytes_of(spelling.type[0]));
    if (is_memory) memory_modifiers(result, spelling);
    if (row.name == "mbarrier" || spelling.has("mbarrier")) result.flags |= Access::sync;
    if (spelling.has("bulk")) result.bytes = 16;  // the unit of its addresses and sizes
    // Addresses come first, and a vector behind the register that it is taken apart from.
    const bool is_first =
        row.operands.find('a') == std::string_view::npos && !row.operands.starts_with('V');
    next_ = row.name == "red" ? 2 : is_first ? 0 : 1;
    has_fragments_ = row.operands.find_first_of("fF") != std::string_view::npos;
    if (has_fragments_) result.target = spelling.shape();
    if (row.name == "wmma" && is_memory) fragments_.inputs.push_back(operands_.addresses());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      operand(result, spelling, operands[i], letter_of(row, i), i);
    }
    result.execute = row.choose(spelling);
    if (result.execute == nullptr) operands_.refuse(std::string(step_->statement->opcode));
    if (row.name == "brx") result.target = step_->target;
    if (operands_.is_clock)
      result.execute = result.bytes == 8 ? &read_clock<std::uint64_t> : &read_clock<std::uint32_t>;
    if (!is_memory) return;
    if (result.space == Space::param || result.space == Space::constant ||
        (result.flags & Access::sync) != 0) {
      source.bill = Bill::free;
    }
    const std::uint32_t smallest = std::min<std::uint32_t>(4, result.bytes);
    if (result.space == Space::global || result.space == Space::reg) {
      program_.smallest_global = std::min(program_.smallest_global, smallest);
    }
    if (result.space == Space::shared || result.space == Space::reg) {
      program_.smallest_shared = std::min(program_.smallest_shared, smallest);
    }
  }

  void push(Instruction& result, Place place) {
    if (has_fragments_) return fragments_.add(place, is_written_);
    if (next_ >= result.place.size()) operands_.refuse(std::string(step_->statement->opcode));
    if (is_written_) result.writes |= static_cast<std::uint8_t>(1U << next_);
    result.place[next_++] = place;
  }

  void operand(Instruction& result, Spelling& spelling, const Operand& operand, char letter,
               std::size_t i) {
    const auto small = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    is_written_ = small != letter;
    switch (small) {
      case 'z':
      case 'l':
        return;
      case 'i':
        result.immediate = static_cast<std::int64_t>(operands_.number(operand));
        return;
      case 'n': {
        const std::uint64_t bytes = operands_.number(operand);
        if (bytes != 4 && bytes != 8 && bytes != 16) {
          operands_.refuse(fmt::format("{} of {} bytes", step_->statement->opcode, bytes));
        }
        result.bytes = static_cast<std::uint8_t>(bytes);
        return;
      }
      case 'a':
        return address(result, operand);
      case 'o':
        fragments_.inputs = operands_.texel(operand, spelling, result);
        return;
      case 'c': {
        Instruction other;
        address(other, operand);
        if (other.place[0] == no_place) {
          other.place[0] = operands_.constant(static_cast<std::uint64_t>(other.immediate), 8, -1);
          other.immediate = 0;
        }
        const bool is_third = step_->row->operands.find('c') < i;
        if (is_third && other.immediate != 0) {
          operands_.refuse(fmt::format("an mbarrier at an offset of {}", step_->statement->opcode));
        }
        if (!is_third) result.target = static_cast<std::uint32_t>(other.immediate);
        if ((other.flags & Access::narrow) != 0) {
          result.flags |= is_third ? Access::narrow_third : Access::narrow_second;
        }
        return push(result, other.place[0]);
      }
      case 'p':
        return push(result, operands_.predicate(operand, letter == 'P'));
      case 'q':
      case 'r':
        return pair(result, operand, small == 'q' ? 0 : expected_bytes('t', spelling));
      case 'f':
        if (result.bytes == 0) result.bytes = 4;  // .tf32
        result.count =
            static_cast<std::uint8_t>(std::min<std::size_t>(operand.elements.size(), 255));
        spelling.registers[i] = result.count;
        return operands_.fragment(operand, spelling, is_written_, fragments_);
      case 'v':
      case 'x':
        if (operand.kind == Operand::Kind::vector)
          return vector(result, spelling, operand, letter, i);
        if (step_->row->bill == Bill::memory && result.count > 1) {
          operands_.refuse(fmt::format("{} of one register", step_->statement->opcode));
        }
        break;
      default:
        break;
    }
    if (letter == 'M') return pair(result, operand, 4);
    const std::uint8_t bytes = expected_bytes(letter, spelling);
    const bool may_be_wider = small == 'x' || small == 'y';
    const Place place = operands_.value(operand, bytes, may_be_wider, &spelling.bytes[i]);
    // The register that a vector is taken out of comes first.
    if (step_->row->operands.starts_with('V')) {
      result.place[0] = place;
    } else {
      push(result, place);
    }
  }

  /// d|p: a value, or a predicate where `bytes` is 0, and a predicate.
  void pair(Instruction& result, const Operand& operand, std::uint8_t bytes) {
    const bool both = operand.kind == Operand::Kind::pair;
    const Operand& first = both ? operand.elements[0] : operand;
    if (first.kind == Operand::Kind::sink) {
      push(result, no_place);
    } else {
      push(result, bytes == 0 ? operands_.predicate(first, true)
                              : operands_.value(first, bytes, false, nullptr));
    }
    const bool has_second = both && operand.elements[1].kind != Operand::Kind::sink;
    push(result, has_second ? operands_.predicate(operand.elements[1], true) : no_place);
  }

  void vector(Instruction& result, Spelling& spelling, const Operand& operand, char letter,
              std::size_t i) {
    const bool is_memory = step_->row->bill == Bill::memory;
    const std::uint8_t whole = expected_bytes('t', spelling);
    const auto count = static_cast<std::uint8_t>(operand.elements.size());
    if (is_memory && count != result.count) {
      throw PtxError(step_->statement->line,
                     fmt::format("{} registers for {}", count, step_->statement->opcode));
    }
    if (!is_memory) {
      result.count = count;
      result.bytes = static_cast<std::uint8_t>(whole / count);
      if (letter == 'v' && next_ == 0) next_ = 1;
    }
    for (const Operand& element : operand.elements) {
      if (element.kind == Operand::Kind::sink) {
        push(result, no_place);
        continue;
      }
      push(result, operands_.value(element, is_memory ? whole : result.bytes, is_memory,
                                   &spelling.bytes[i]));
    }
  }

  void address(Instruction& result, const Operand& operand) {
    if (operand.kind != Operand::Kind::address || operand.elements.size() != 1) {
      operands_.refuse(fmt::format("this form of address of {}", step_->statement->opcode));
    }
    const Operand& base = operand.elements[0];
    result.immediate = operand.offset;
    const auto add = [&](auto more) {
      result.immediate = static_cast<std::int64_t>(static_cast<std::uint64_t>(result.immediate) +
                                                   static_cast<std::uint64_t>(more));
    };
    switch (base.kind) {
      case Operand::Kind::reg: {
        const std::uint32_t r = operands_.register_of(base);
        if (places_.bytes[r] != 4 && places_.bytes[r] != 8)
          operands_.refuse("an address of 16 bits");
        if (places_.bytes[r] == 4) result.flags |= Access::narrow;
        result.place[0] = places_.place[r];
        return;
      }
      case Operand::Kind::integer:
        add(base.bits);
        return;
      case Operand::Kind::variable: {
        const Placed& placed = flow_.frames[step_->frame].variables[base.index];
        if (placed.kind == Placed::Kind::call_parameter) result.flags |= Access::call;
        if (placed.kind == Placed::Kind::local && flow_.frames[step_->frame].is_recursive) {
          result.place[0] = operands_.value(base, 8, false, nullptr);
          if (result.space == Space::reg) add(local_window);
          return;
        }
        add(placed.offset);
        add(base.offset);
        if (result.space == Space::reg) add(window_of(placed.kind));
        return;
      }
      case Operand::Kind::symbol: {
        add(base.offset);
        if (const auto offset = operands_.shared_offset(base.name)) {
          add(*offset);
          if (result.space == Space::reg) {
            add(shared_window);
          }
          return;
        }
        result.place[0] = operands_.constant(0, 8, operands_.symbol(base.name));
        return;
      }
      default:
        operands_.refuse(fmt::format("this address of {}", step_->statement->opcode));
    }
  }
  static std::int64_t window_of(Placed::Kind kind) {
    switch (kind) {
      case Placed::Kind::shared:
        return static_cast<std::int64_t>(shared_window);
      case Placed::Kind::kernel_parameter:
        return static_cast<std::int64_t>(parameter_window);
      default:
        return static_cast<std::int64_t>(local_window);
    }
  }
  void built_in(Instruction& result) {
    std::vector<std::uint32_t> offsets;
    std::string_view name;
    for (const Operand& operand : step_->statement->operands) {
      if (operand.kind == Operand::Kind::symbol) name = operand.name;
      if (operand.kind != Operand::Kind::group) continue;
      for (const Operand& element : operand.elements) {
        if (element.kind != Operand::Kind::variable)
          operands_.refuse("a call with registers as parameters");
        offsets.push_back(flow_.frames[step_->frame].variables[element.index].offset);
      }
    }
    for (std::size_t i = 0; i < offsets.size() && i < result.place.size(); ++i) {
      result.place[i] = offsets[i];
    }
    result.execute = built_in_function(name, offsets.size());
    if (result.execute == nullptr) operands_.refuse(fmt::format("a call of {}", name));
  }

  Program& program_;
  const Flow& flow_;
  RegisterPlaces places_;
  Operands operands_;
  MachineInstructions machine_;
  const Step* step_ = nullptr;
  std::size_t next_ = 0;
  bool is_written_ = false;                                     // the operand at hand
  bool has_fragments_ = false;                                  // the instruction at hand has some
  FragmentPlaces fragments_;                                    // what it has
  std::map<std::uint32_t, std::uint32_t> order_of_;             // place of each piece
  std::map<std::uint32_t, std::uint32_t> piece_of_code_;        // piece that holds each position
  std::vector<std::pair<std::uint32_t, std::uint32_t>> jumps_;  // positions and their steps
};

}  // namespace

void decode(Program& program, const Flow& flow) { Decoder(program, flow).decode(); }

}  // namespace agpusim::ptx
