#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "agpusim/ptx/lower/registers.hpp"

// From which parameters the addresses come to which a kernel writes.
namespace agpusim::ptx {
namespace {

/// The name of the state space of the first address, empty for a generic one.
std::string_view space_of(const Step& step) {
  for (const std::string_view modifier : step.spelling.modifiers) {
    for (const std::string_view space : {"global", "shared", "local", "param", "const"}) {
      if (modifier.starts_with(space)) return space;
    }
  }
  return "";
}

bool writes_globally(const Step& step) {
  if (step.kind != Step::Kind::instruction || step.row == nullptr) return false;
  const std::string_view name = step.row->name;
  const bool stores = name == "st" || (name == "wmma" && step.spelling.has("store"));
  if (!stores && name != "atom" && name != "red" && name != "cp") return false;
  const std::string_view space = space_of(step);
  return space == "global" || space.empty();
}

bool is_written(const Opcode& row, std::size_t operand) {
  return std::isupper(static_cast<unsigned char>(letter_of(row, operand))) != 0;
}

/// Goes from addresses back to where their registers come from.
class Search {
 public:
  Search(const Flow& flow, Targets& targets)
      : flow_(flow), targets_(targets), writers_(flow.registers), seen_(2 * flow.registers) {
    for (const Step& step : flow.steps) {
      for_registers(flow, step, [&](std::uint32_t r, bool written) {
        if (written) writers_[r].push_back(&step);
      });
    }
    for (const Step& step : flow.steps) {
      if (step.row != nullptr && step.row->name == "sust") targets_.all = true;
      if (!writes_globally(step)) continue;
      const auto& operands = step.statement->operands;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (letter_of(*step.row, i) == 'a') follow(step, operands[i], false);
      }
    }
    while (!left_.empty() && !targets.all) {
      const auto [r, is_half] = left_.back();
      left_.pop_back();
      for (const Step* const step : writers_[r]) look_at(*step, r, is_half);
    }
  }

 private:
  /// What gives a value, or half of it.
  void follow(const Step& step, const Operand& operand, bool is_half) {
    switch (operand.kind) {
      case Operand::Kind::reg: {
        const Frame& frame = flow_.frames[step.frame];
        if (register_bytes(frame.function->registers[operand.index].type) == 0) return;
        const std::uint32_t r = frame.first_register + operand.index;
        auto seen = seen_[2 * r + std::size_t{is_half}];
        if (!seen) left_.emplace_back(r, is_half);
        seen = true;
        return;
      }
      case Operand::Kind::symbol:
        targets_.symbols.emplace_back(operand.name);
        return;
      case Operand::Kind::address:
        for (const Operand& element : operand.elements) follow(step, element, is_half);
        return;
      case Operand::Kind::vector:
        for (const Operand& element : operand.elements) follow(step, element, true);
        return;
      default:
        return;
    }
  }

  /// The step gives a register its value.
  void look_at(const Step& step, std::uint32_t r, bool is_half) {
    if (step.kind != Step::Kind::instruction || step.row == nullptr) {
      targets_.all = true;  // the result of a call
      return;
    }
    const auto& operands = step.statement->operands;
    const std::string_view letters = step.row->operands;
    if (letters.find_first_of("ao") != std::string_view::npos) return loads(step, r, is_half);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!is_written(*step.row, i)) follow(step, operands[i], is_half);
    }
  }

  void loads(const Step& step, std::uint32_t r, bool is_half) {
    const auto& operands = step.statement->operands;
    if (operands.size() < 2 || operands[1].elements.empty()) {  // decoding refuses it
      targets_.all = true;
      return;
    }
    const Operand& from = operands[1].elements[0];
    const Frame& frame = flow_.frames[step.frame];
    if (step.row->name == "ld" && from.kind == Operand::Kind::variable &&
        frame.variables[from.index].kind == Placed::Kind::kernel_parameter) {
      const auto first =
          static_cast<std::uint32_t>(frame.variables[from.index].offset +
                                     static_cast<std::uint32_t>(operands[1].offset + from.offset));
      constexpr std::uint32_t word = 8;
      constexpr std::uint32_t widest = 4;  // words of a vector
      for (std::uint32_t k = 0; k < widest; ++k) targets_.parameters.push_back(first + k * word);
      return;
    }
    // Integers of fewer bits are no addresses, where they are not made of halves.
    const Register& value = frame.function->registers[r - frame.first_register];
    if (is_half || register_bytes(value.type) == sizeof(std::uint64_t)) targets_.all = true;
  }

  const Flow& flow_;
  Targets& targets_;
  std::vector<std::vector<const Step*>> writers_;  // by register
  std::vector<bool> seen_;                         // by register, and whether it is a half
  std::vector<std::pair<std::uint32_t, bool>> left_;
};

}  // namespace

Targets targets_of(const Flow& flow) {
  Targets result;
  const Search search(flow, result);
  const auto once = [](auto& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  };
  once(result.parameters);
  once(result.symbols);
  return result;
}

}  // namespace agpusim::ptx
