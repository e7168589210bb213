#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agpusim/ptx/text/declarations.hpp"
#include "agpusim/ptx/text/locations.hpp"
#include "agpusim/ptx/text/module.hpp"
#include "agpusim/ptx/text/text.hpp"

namespace agpusim::ptx {

/// A name that stands for a function or variable of the module.
struct Use {
  std::string_view name;
  std::uint32_t line = 0;
};

/// Parses the body of one function, and resolves what is declared in it.
class Body {
 public:
  /// `uses`: gets the names that the function does not declare.
  Body(Tokens& tokens, Declarations& declarations, Function& function, std::vector<Use>& uses);

  /// Its { is taken.
  void parse();

 private:
  struct Name {
    enum class Kind : std::uint8_t { reg, registers, variable, label, table };
    Kind kind = Kind::reg;
    std::uint32_t index = 0;
    std::uint32_t count = 1;  // components of a vector of registers
  };
  /// .reg .b32 %r<44>: a register of them exists once it is named.
  struct Range {
    Type type = Type::none;
    std::uint64_t count = 0;
  };
  /// An operand or a target of a table, which may be a label.
  struct Pending {
    Use use;
    bool in_table = false;
    std::uint32_t owner = 0;  // statement or table
    std::uint32_t place = 0;
  };
  struct Scope {
    std::uint32_t line = 0;
    std::unordered_map<std::string_view, Name> names;
    std::unordered_map<std::string_view, Range> ranges;
    std::vector<Pending> pending;
  };

  void declare(const Use& use, const Name& name);
  const Name* find(std::string_view name);
  const Name* find_in_ranges(Scope& scope, std::string_view name);
  void close_scope();
  void end_function(const std::vector<Pending>& pending);

  void directive();
  void registers();
  void location();
  Location position();
  void label();
  void branch_targets(std::uint32_t table);
  void call_prototype();

  void statement();
  Operand operand(std::uint32_t depth);
  Operand single_operand(std::uint32_t depth);
  Operand named(std::uint32_t depth);
  Operand resolve(const Token& token);
  std::vector<Operand> operands_until(std::string_view end, std::uint32_t depth);

  Tokens& tokens_;
  Declarations& declarations_;
  Function& function_;
  std::vector<Use>& uses_;
  const std::vector<Variable> parameters_;  // their names are keys of the first scope
  std::vector<Scope> scopes_;
  Locations locations_;
  std::uint64_t declared_registers_ = 0;
};

}  // namespace agpusim::ptx
