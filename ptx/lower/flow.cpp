#include "agpusim/ptx/lower/flow.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/lower/callees.hpp"
#include "agpusim/ptx/text/kernel_name.hpp"

namespace agpusim::ptx {
namespace {

constexpr std::size_t most_steps = std::size_t{1} << 22;
constexpr std::size_t deepest_call = 64;
/// Nobody looks at the operands of what is refused.
constexpr Opcode refused{.name = "", .modifiers = "", .operands = "zzzzzzzz", .bill = Bill::free};
constexpr Opcode call_of_register{.name = "call", .modifiers = "", .operands = "zzzz"};

std::uint32_t aligned(std::uint32_t offset, std::uint32_t alignment) {
  const std::uint32_t unit = std::max(alignment, 1U);
  return (offset + unit - 1) / unit * unit;
}

/// Takes the next bytes for a variable.
std::uint32_t take(std::uint32_t& used, const Variable& variable) {
  const std::uint32_t offset = aligned(used, variable.alignment);
  used = offset + static_cast<std::uint32_t>(variable.bytes);
  return offset;
}

class Builder {
 public:
  Builder(const Module& module, Flow& flow) : module_(module), flow_(flow) {}

  void kernel(const Function& function) {
    Frame frame{&function, take_registers(function), {}, 0, flow_.sites.add(module_, function, 0)};
    std::uint32_t used = 0;
    for (std::size_t v = 0; v < function.variables.size(); ++v) {
      if (v < function.parameters) {
        frame.variables.push_back(
            {Placed::Kind::kernel_parameter, take(used, function.variables[v])});
      } else {
        frame.variables.push_back(place(function, v));
      }
    }
    flow_.parameters.assign(frame.variables.begin(), frame.variables.begin() + function.parameters);
    flow_.frames.push_back(std::move(frame));
    body(0, false);
    shared_of_module();
    cut();
    for (const Piece& piece : flow_.pieces) graph_.push_back(piece.next);
    std::vector<LoopRange> loops;
    flow_.order = loops_together(graph_, loops);
    put_exits_before(graph_, loops, flow_.order);
  }

 private:
  std::uint32_t take_registers(const Function& function) {
    const std::uint32_t first = flow_.registers;
    flow_.registers += static_cast<std::uint32_t>(function.registers.size());
    return first;
  }
  Placed place(const Function& function, std::size_t v) {
    const Variable& variable = function.variables[v];
    switch (variable.space) {
      case Space::param:
        return {Placed::Kind::call_parameter, take(flow_.call_bytes, variable)};
      case Space::shared: {
        const auto [known, is_new] = shared_.try_emplace({&function, v});
        if (is_new) known->second = take_shared(variable);
        return {Placed::Kind::shared, known->second};
      }
      default:
        return {Placed::Kind::local, take(flow_.local_bytes, variable)};
    }
  }

  std::uint32_t take_shared(const Variable& variable) {
    const std::uint32_t offset = take(flow_.shared_bytes, variable);
    flow_.shared_arrays.push_back(
        {variable_name(variable.name), offset, static_cast<std::uint32_t>(variable.bytes)});
    return offset;
  }

  /// The steps of a frame; a return of a called function goes to their end.
  void body(std::uint32_t frame_number, bool is_called) {
    const Function& function = *flow_.frames[frame_number].function;
    const std::uint32_t first_register = flow_.frames[frame_number].first_register;
    std::vector<std::uint32_t> positions;  // first step of each statement
    std::vector<std::size_t> returns;
    const std::size_t first = flow_.steps.size();
    for (const Statement& statement : function.body) {
      positions.push_back(size());
      Step step;
      step.statement = &statement;
      step.frame = frame_number;
      const Frame& frame = flow_.frames[frame_number];
      step.site = statement.site == 0 ? frame.call : frame.sites[statement.site - 1];
      if (statement.guard >= 0) {
        step.guard = std::int64_t{first_register} + statement.guard;
        step.guard_negated = statement.guard_negated;
      }
      const std::string_view name = statement.opcode.substr(0, statement.opcode.find('.'));
      if (name == "call") {
        call(step);
        continue;
      }
      if (name == "ret" || name == "exit") {
        step.kind = name == "ret" && is_called ? Step::Kind::jump : Step::Kind::exit;
        if (step.kind == Step::Kind::jump) returns.push_back(flow_.steps.size());
      } else if (!match(step)) {
        refuse(step, std::string(statement.opcode));
        continue;
      }
      push(step);
    }
    positions.push_back(size());
    if (!is_called) push_without_statement(Step::Kind::exit, frame_number);
    for (const std::size_t step : returns) flow_.steps[step].target = size();
    // Labels of this frame.
    for (std::size_t i = first; i < flow_.steps.size(); ++i) {
      Step& step = flow_.steps[i];
      if (step.frame != frame_number || step.statement == nullptr || resolved_.contains(i))
        continue;
      resolve(step, i, positions);
    }
  }

  void resolve(Step& step, std::size_t number, const std::vector<std::uint32_t>& positions) {
    for (const Operand& operand : step.statement->operands) {
      if (operand.kind == Operand::Kind::label && step.row != nullptr) {
        step.target = positions.at(operand.index);
        step.kind = Step::Kind::jump;
        resolved_.insert(number);
      }
      if (operand.kind == Operand::Kind::table && step.row != nullptr) {
        std::vector<std::uint32_t> table;
        for (const std::uint32_t label : flow_.frames[step.frame].function->tables[operand.index]) {
          table.push_back(positions.at(label));
        }
        step.target = static_cast<std::uint32_t>(flow_.tables.size());
        flow_.tables.push_back(std::move(table));
        resolved_.insert(number);
      }
    }
  }
  /// Whether the table has the instruction.
  static bool match(Step& step) {
    const Statement& statement = *step.statement;
    step.row = row_of(statement.opcode, statement.operands, step.spelling);
    const bool has_table =
        statement.operands.size() > 1 && statement.operands.back().kind == Operand::Kind::table;
    return step.row != nullptr && (!is_indexed(step) || has_table);
  }
  /// A step that is refused when it is executed.
  void refuse(Step step, const std::string& what) {
    step.kind = Step::Kind::instruction;
    step.row = &refused;
    step.refusal = static_cast<std::int32_t>(flow_.refusals.size());
    flow_.refusals.push_back(refusal(module_, flow_, step, what));
    resolved_.insert(flow_.steps.size());
    push(step);
  }

  void call(Step step) {
    const Statement& statement = *step.statement;
    const Operand* target = nullptr;
    const Operand* results = nullptr;  // before the name
    const Operand* arguments = nullptr;
    for (const Operand& operand : statement.operands) {
      if (operand.kind == Operand::Kind::symbol) target = &operand;
      if (operand.kind == Operand::Kind::group) (target ? arguments : results) = &operand;
    }
    if (target == nullptr && indirect_call(step)) return;
    if (target == nullptr) return refuse(step, "an indirect call");
    const Function* const function = module_.function(target->name);
    if (function == nullptr || function->is_extern) {
      if (!is_built_in(target->name)) {
        return refuse(step, "a call of " + demangled(std::string(target->name)));
      }
      step.kind = Step::Kind::call;
      push(step);
      return;
    }
    const auto jump = flow_.steps.size();
    if (step.guard >= 0) jump_around(step);
    const auto running = active_.find(function);
    if (running != active_.end()) {
      recurse(step, running->second, results, arguments);
    } else if (is_running(*function)) {
      refuse(step,
             fmt::format("a call of {} in {} others", demangled(function->name), deepest_call));
    } else {
      expand(step, *function, results, arguments);
    }
    if (step.guard >= 0) flow_.steps[jump].target = size();
  }
  [[nodiscard]] bool is_running(const Function& function) const {
    return active_.contains(&function) || active_.size() > deepest_call;
  }
  /// Lanes that the guard of a call stops go to a target that is not known yet.
  void jump_around(Step step) {
    step.kind = Step::Kind::jump;
    step.guard_negated = !step.guard_negated;
    resolved_.insert(flow_.steps.size());
    push(step);
  }

  /// A call through a register: of each function that it may mean, for the lanes that mean it.
  /// False where it has no prototype.
  bool indirect_call(const Step& call) {
    const auto& operands = call.statement->operands;
    const auto& prototypes = flow_.frames[call.frame].function->prototypes;
    const auto callee = std::find_if(operands.begin(), operands.end(), [](const Operand& operand) {
      return operand.kind == Operand::Kind::reg;
    });
    if (callee == operands.end() || operands.back().kind != Operand::Kind::table ||
        operands.back().index >= prototypes.size()) {
      return false;
    }
    const auto group = [](auto begin, auto end) {
      const auto found = std::find_if(
          begin, end, [](const Operand& operand) { return operand.kind == Operand::Kind::group; });
      return found == end ? nullptr : &*found;
    };
    if (!functions_) functions_ = functions_with_address(module_);
    const Signature& prototype = prototypes[operands.back().index];
    std::vector<std::size_t> jumps;  // to the end
    if (call.guard >= 0) {
      jumps.push_back(flow_.steps.size());
      jump_around(call);
    }
    Step step = call;
    step.row = &call_of_register;
    step.callee = &*callee;
    step.guard = -1;
    for (const Function* const function : *functions_) {
      if (!has_signature(*function, prototype) || is_running(*function)) continue;
      const auto past = flow_.steps.size();
      step.kind = Step::Kind::jump;
      step.address = function_address(module_, function->name);
      resolved_.insert(past);
      push(step);
      expand(step, *function, group(operands.begin(), callee), group(callee, operands.end()));
      Step done = call;
      done.kind = Step::Kind::jump;
      done.guard = -1;
      jumps.push_back(flow_.steps.size());
      resolved_.insert(jumps.back());
      push(done);
      flow_.steps[past].target = size();
    }
    step.kind = Step::Kind::call;
    resolved_.insert(flow_.steps.size());
    push(step);
    for (const std::size_t jump : jumps) flow_.steps[jump].target = size();
    return true;
  }

  /// The steps of a function that is called.
  void expand(const Step& step, const Function& function, const Operand* results,
              const Operand* arguments) {
    const auto given = given_to(step, function, results, arguments);
    if (!given) return;
    const std::uint32_t local_bytes = flow_.local_bytes;
    Frame frame{&function,
                take_registers(function),
                {},
                step.site,
                flow_.sites.add(module_, function, step.site)};
    for (std::size_t v = 0; v < function.variables.size(); ++v) {
      frame.variables.push_back(v < given->size() ? (*given)[v] : place(function, v));
    }
    const auto number = static_cast<std::uint32_t>(flow_.frames.size());
    const std::uint32_t entry = size();
    flow_.frames.push_back(std::move(frame));
    active_.emplace(&function, number);
    body(number, true);
    active_.erase(&function);
    bool is_recursive = false;
    for (RecursiveCall& call : flow_.recursive_calls) {
      if (call.frame != number) continue;
      is_recursive = true;
      call.entry = entry;
      call.last_frame = static_cast<std::uint32_t>(flow_.frames.size()) - 1;
      call.bytes = aligned(flow_.local_bytes, 16) - local_bytes / 16 * 16;
    }
    if (!is_recursive) return;
    for (std::size_t f = number; f < flow_.frames.size(); ++f) flow_.frames[f].is_recursive = true;
    push_without_statement(Step::Kind::leave, number);  // to which its returns jump
  }

  /// A call of the function of a frame that is running.
  void recurse(Step step, std::uint32_t frame, const Operand* results, const Operand* arguments) {
    const auto given = given_to(step, *flow_.frames[frame].function, results, arguments);
    if (!given) return;
    RecursiveCall call;
    call.step = size();
    call.frame = frame;
    for (const Placed& placed : *given) call.given.push_back(placed.offset);
    step.kind = Step::Kind::recurse;
    step.guard = -1;
    step.target = static_cast<std::uint32_t>(flow_.recursive_calls.size());
    flow_.recursive_calls.push_back(std::move(call));
    resolved_.insert(flow_.steps.size());
    push(step);
  }

  /// Where results and arguments of a call lie. None: they are not supported, and refused.
  std::optional<std::vector<Placed>> given_to(const Step& step, const Function& function,
                                              const Operand* results, const Operand* arguments) {
    const std::size_t named = std::size_t{function.results} + function.parameters;
    std::vector<Placed> given;
    for (const Operand* const group : {results, arguments}) {
      if (group == nullptr) continue;
      for (const Operand& element : group->elements) {
        if (element.kind != Operand::Kind::variable) {
          Step refused_call = step;
          refused_call.callee = nullptr;
          refuse(refused_call, "a call with registers as parameters");
          return std::nullopt;
        }
        given.push_back(flow_.frames[step.frame].variables[element.index]);
      }
    }
    if (given.size() != named) {
      throw PtxError(step.statement->line, fmt::format("{} takes {} parameters and results, not {}",
                                                       function.name, named, given.size()));
    }
    return given;
  }

  void push(const Step& step) {
    if (flow_.steps.size() >= most_steps) {
      throw PtxError(step.statement->line, "the kernel is too large with all that it calls",
                     ExitCode::unavailable);
    }
    flow_.steps.push_back(step);
  }
  void push_without_statement(Step::Kind kind, std::uint32_t frame) {
    Step step;
    step.kind = kind;
    step.frame = frame;
    flow_.steps.push_back(step);
  }
  [[nodiscard]] std::uint32_t size() const {
    return static_cast<std::uint32_t>(flow_.steps.size());
  }

  /// Places what is shared by all functions, in the order in which it is used; arrays of unknown
  /// size begin where the others end.
  void shared_of_module() {
    std::set<std::string_view> used;
    const auto note = [&](const Operand& operand, const auto& again) -> void {
      if (operand.kind == Operand::Kind::symbol) used.insert(operand.name);
      for (const Operand& element : operand.elements) again(element, again);
    };
    for (const Step& step : flow_.steps) {
      if (step.statement == nullptr) continue;
      for (const Operand& operand : step.statement->operands) note(operand, note);
    }
    std::vector<const Variable*> dynamic;
    for (const Variable& variable : module_.variables()) {
      if (variable.space != Space::shared || !used.contains(variable.name)) continue;
      if (variable.bytes == 0) {
        dynamic.push_back(&variable);
      } else {
        flow_.shared_variables.emplace_back(variable.name, take_shared(variable));
      }
    }
    for (const Variable* const variable : dynamic) {
      flow_.shared_bytes = aligned(flow_.shared_bytes, variable->alignment);
    }
    for (const Variable* const variable : dynamic) {
      flow_.shared_variables.emplace_back(variable->name, take_shared(*variable));
    }
  }

  /// Whether lanes must come together before it.
  static bool gathers(const Step& step) {
    if (step.row == nullptr) return false;
    return step.row->operands.find('m') != std::string_view::npos || step.row->is_barrier;
  }
  void cut() {
    const std::uint32_t count = size();
    std::vector<bool> leads(std::size_t{count} + 1, false);
    leads[0] = true;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Step& step = flow_.steps[i];
      if (step.kind == Step::Kind::jump) leads[step.target] = true;
      if (is_last(step)) leads[i + 1] = true;
      if (gathers(step)) leads[i] = true;
    }
    for (const RecursiveCall& call : flow_.recursive_calls) leads[call.entry] = true;
    for (const auto& table : flow_.tables) {
      for (const std::uint32_t target : table) leads[target] = true;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (is_indexed(flow_.steps[i])) leads[i + 1] = true;
    }
    std::vector<std::uint32_t> piece_of(std::size_t{count} + 1, 0);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (leads[i]) flow_.pieces.push_back({i, i, {}, false});
      piece_of[i] = static_cast<std::uint32_t>(flow_.pieces.size()) - 1;
      flow_.pieces.back().end = i + 1;
    }
    for (Piece& piece : flow_.pieces) {
      const Step& last = flow_.steps[piece.end - 1];
      const bool always =
          last.guard < 0 && last.callee == nullptr && last.kind != Step::Kind::leave;
      const bool ends = is_last(last) || is_indexed(last);
      piece.falls_through = !ends || !always;
      if (piece.falls_through) piece.next.push_back(piece_of[piece.end]);
      if (last.kind == Step::Kind::jump) piece.next.push_back(piece_of[last.target]);
      for (const RecursiveCall& call : flow_.recursive_calls) {
        if (last.kind == Step::Kind::recurse && call.step == piece.end - 1) {
          piece.next.push_back(piece_of[call.entry]);
        } else if (last.kind == Step::Kind::leave && call.frame == last.frame) {
          piece.next.push_back(piece_of[call.step + 1]);
        }
      }
      if (is_indexed(last)) {
        for (const std::uint32_t target : flow_.tables[last.target]) {
          piece.next.push_back(piece_of[target]);
        }
      }
    }
  }

  /// Whether lanes may go elsewhere than to the next step, but by a table.
  static bool is_last(const Step& step) {
    return step.kind != Step::Kind::instruction && step.kind != Step::Kind::call;
  }
  static bool is_indexed(const Step& step) {
    return step.row != nullptr && step.row->name == "brx";
  }

  const Module& module_;
  Flow& flow_;
  std::map<std::pair<const Function*, std::size_t>, std::uint32_t> shared_;
  std::map<const Function*, std::uint32_t> active_;        // with their frames
  std::optional<std::vector<const Function*>> functions_;  // what calls through registers may mean
  std::set<std::size_t> resolved_;                         // steps whose labels are known
  std::vector<std::vector<std::uint32_t>> graph_;
};

}  // namespace

PtxError refusal(const Module& module, const Flow& flow, const Step& step,
                 const std::string& what) {
  const std::uint32_t site = flow.sites.shown(step.site);
  const std::string place = site == 0 ? "" : " at " + to_string(flow.sites.line(module, site));
  return {step.statement->line, fmt::format("{}{} is not supported", what, place),
          ExitCode::unavailable};
}

Flow::Flow(const Module& module, const Function& kernel) {
  Builder builder(module, *this);
  builder.kernel(kernel);
}

}  // namespace agpusim::ptx
