#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/text/module.hpp"

namespace agpusim::ptx {
namespace {

template <class Declared>
bool is_local(const Declared& declared) {
  return !declared.is_extern && !declared.is_visible && !declared.is_weak;
}

/// Its size is that of the kernel's dynamic shared memory.
bool may_stay_undefined(const Variable& variable) { return variable.space == Space::shared; }
bool may_stay_undefined(const Function& /*function*/) { return true; }  // its calls are refused

void align(Variable& variable, const Variable& other) {
  variable.alignment = std::max(variable.alignment, other.alignment);
}
void align(const Function&, const Function&) {}

constexpr std::size_t nowhere = SIZE_MAX;

template <class Visit>
void for_each_operand(std::vector<Operand>& operands, const Visit& visit) {
  for (Operand& operand : operands) {
    visit(operand);
    for_each_operand(operand.elements, visit);
  }
}

template <class Names>
void rename(std::string& name, const Names& names) {
  const auto found = names.find(name);
  if (found != names.end()) name = found->second;
}

template <class Names>
void rename_initial(std::vector<Variable>& variables, const Names& names) {
  for (Variable& variable : variables) {
    for (Relocation& each : variable.relocations) rename(each.symbol, names);
  }
}

template <class Names, class Numbers>
void rename_keys(Numbers& numbers, const Names& names) {
  for (const auto& [old, name] : names) {
    auto node = numbers.extract(old);
    if (node.empty()) continue;
    node.key() = name;
    numbers.insert(std::move(node));
  }
}

}  // namespace

bool is_built_in(std::string_view function) {
  constexpr std::array<std::string_view, 4> names = {"vprintf", "__assertfail", "malloc", "free"};
  return std::find(names.begin(), names.end(), function) != names.end();
}

class Linker {
 public:
  Module link(std::vector<Module> modules);

 private:
  using Numbers = std::map<std::string, std::size_t, std::less<>>;
  /// The functions or the variables of a module.
  template <class Declared>
  struct Part {
    std::vector<Declared>& all;
    Numbers& numbers;
  };
  using NewNames = std::map<std::string, std::string_view, std::less<>>;

  void find_shared_names(const std::vector<Module>& modules);
  void make_local_names_unique(Module& module);
  void move_files(Module& module);
  template <class Declared>
  void merge(const Part<Declared>& from, const Part<Declared>& to, std::vector<Declared>& missing);
  template <class Declared>
  void end(std::vector<Declared>& missing, const Part<Declared>& to);

  Module result_;
  std::map<std::string, std::uint32_t, std::less<>> file_numbers_;
  std::set<std::string, std::less<>> names_;   // names in all modules
  std::set<std::string, std::less<>> shared_;  // known between modules, or taken by a former one
  std::vector<Function> missing_functions_;
  std::vector<Variable> missing_variables_;
};

void Linker::find_shared_names(const std::vector<Module>& modules) {
  const auto collect = [&](const auto& all) {
    for (const auto& each : all) {
      names_.insert(each.name);
      if (!is_local(each)) shared_.insert(each.name);
    }
  };
  for (const Module& module : modules) {
    collect(module.functions_);
    collect(module.variables_);
  }
}

void Linker::make_local_names_unique(Module& module) {
  NewNames renamed;
  const auto choose = [&](const std::string& old) {
    if (shared_.insert(old).second) return;
    std::string name;
    for (std::size_t i = 1; name.empty() || !names_.insert(name).second; ++i) {
      name = fmt::format("{}${}", old, i);
    }
    const auto text = std::make_shared<const std::string>(std::move(name));
    module.texts_.push_back(text);
    renamed.emplace(old, *text);
  };
  for (const Function& each : module.functions_) {
    if (is_local(each)) choose(each.name);
  }
  for (const Variable& each : module.variables_) {
    if (is_local(each)) choose(each.name);
  }
  if (renamed.empty()) return;
  rename_keys(module.function_numbers_, renamed);
  rename_keys(module.variable_numbers_, renamed);
  for (Variable& variable : module.variables_) rename(variable.name, renamed);
  rename_initial(module.variables_, renamed);
  for (Function& function : module.functions_) {
    rename(function.name, renamed);
    rename_initial(function.variables, renamed);
    for (Statement& statement : function.body) {
      for_each_operand(statement.operands, [&](Operand& operand) {
        const auto found = renamed.find(operand.name);
        if (operand.kind == Operand::Kind::symbol && found != renamed.end()) {
          operand.name = found->second;
        }
      });
    }
  }
}

void Linker::move_files(Module& module) {
  std::map<std::uint32_t, std::uint32_t> moved;
  for (const auto& [number, path] : module.files_) {
    const auto next = static_cast<std::uint32_t>(file_numbers_.size() + 1);
    moved[number] = file_numbers_.emplace(path, next).first->second;
    result_.files_.emplace(moved[number], path);
  }
  for (Function& function : module.functions_) {
    for (Site& site : function.sites) {
      const auto found = moved.find(site.at.file);
      site.at.file = found == moved.end() ? 0 : found->second;
    }
  }
}

template <class Declared>
void Linker::merge(const Part<Declared>& from, const Part<Declared>& to,
                   std::vector<Declared>& missing) {
  std::vector<std::size_t> moved(from.all.size(), nowhere);
  for (std::size_t i = 0; i < from.all.size(); ++i) {
    Declared& each = from.all[i];
    if (from.numbers.find(each.name)->second != i) continue;  // it declares an alias
    if (each.is_extern) {
      missing.push_back(std::move(each));
      continue;
    }
    const auto [known, is_new] = to.numbers.emplace(each.name, to.all.size());
    moved[i] = known->second;
    if (is_new) {
      to.all.push_back(std::move(each));
    } else if (to.all[known->second].is_weak && !each.is_weak) {
      to.all[known->second] = std::move(each);
    } else if (!each.is_weak) {
      throw PtxError(each.line, fmt::format("{} is defined in another module too", each.name));
    }
  }
  for (const auto& [alias, number] : from.numbers) {
    if (moved[number] != nowhere) to.numbers.emplace(alias, moved[number]);
  }
}

template <class Declared>
void Linker::end(std::vector<Declared>& missing, const Part<Declared>& to) {
  for (Declared& each : missing) {
    const auto [known, is_new] = to.numbers.emplace(each.name, to.all.size());
    if (!is_new) {
      align(to.all[known->second], each);
    } else if (may_stay_undefined(each)) {
      to.all.push_back(std::move(each));
    } else {
      throw PtxError(each.line, fmt::format("{} is declared and defined nowhere", each.name));
    }
  }
}

Module Linker::link(std::vector<Module> modules) {
  const Part<Function> functions{result_.functions_, result_.function_numbers_};
  const Part<Variable> variables{result_.variables_, result_.variable_numbers_};
  find_shared_names(modules);
  for (Module& module : modules) {
    make_local_names_unique(module);
    move_files(module);
    merge<Function>({module.functions_, module.function_numbers_}, functions, missing_functions_);
    merge<Variable>({module.variables_, module.variable_numbers_}, variables, missing_variables_);
    result_.name_ += (result_.name_.empty() ? "" : ", ") + module.name_;
    if (result_.target_.empty()) result_.target_ = module.target_;
    if (result_.version_.empty()) result_.version_ = module.version_;
    for (auto& text : module.texts_) result_.texts_.push_back(std::move(text));
  }
  end(missing_functions_, functions);
  end(missing_variables_, variables);
  for (const Variable& variable : result_.variables_) {
    if (!result_.function_numbers_.contains(variable.name)) continue;
    throw PtxError(variable.line, fmt::format("{} is a function in another module", variable.name));
  }
  return std::move(result_);
}

Module Module::link(std::vector<Module> modules) { return Linker().link(std::move(modules)); }

}  // namespace agpusim::ptx
