#include "agpusim/ptx/lower/callees.hpp"

#include <algorithm>
#include <set>

namespace agpusim::ptx {
namespace {

constexpr std::uint64_t unit = 16;  // bytes between addresses of functions

}  // namespace

std::uint64_t function_address(const Module& module, std::string_view name) {
  const Function* const function = module.function(name);
  if (function == nullptr) return 0;
  return static_cast<std::uint64_t>(function - module.functions().data() + 1) * unit;
}

const Function* function_at(const Module& module, std::uint64_t address) {
  const std::uint64_t number = address / unit;
  if (address % unit != 0 || number == 0 || number > module.functions().size()) return nullptr;
  return &module.functions()[number - 1];
}

std::vector<const Function*> functions_with_address(const Module& module) {
  std::set<const Function*> taken;  // in the order of the module, which holds them in an array
  const auto note = [&](std::string_view name) {
    const Function* const function = module.function(name);
    if (function != nullptr && !function->is_extern && !function->is_kernel) taken.insert(function);
  };
  for (const Variable& variable : module.variables()) {
    for (const Relocation& each : variable.relocations) note(each.symbol);
  }
  for (const Function& function : module.functions()) {
    for (const Statement& statement : function.body) {
      if (statement.opcode.starts_with("call")) continue;
      for (const Operand& operand : statement.operands) {
        if (operand.kind == Operand::Kind::symbol) note(operand.name);
      }
    }
  }
  return {taken.begin(), taken.end()};
}

bool has_signature(const Function& function, const Signature& prototype) {
  if (function.results != prototype.results.size() ||
      function.parameters != prototype.parameters.size()) {
    return false;
  }
  const auto same = [](const Variable& a, const Variable& b) { return a.bytes == b.bytes; };
  const auto first = function.variables.begin();
  return std::equal(prototype.results.begin(), prototype.results.end(), first, same) &&
         std::equal(prototype.parameters.begin(), prototype.parameters.end(),
                    first + function.results, same);
}

}  // namespace agpusim::ptx
