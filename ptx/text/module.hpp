#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/model/error.hpp"

namespace agpusim::ptx {

/// A PTX text that is damaged (bad_file), or asks for what is not supported (unavailable). The
/// message begins with the line of the text.
struct PtxError : Error {
  PtxError(std::uint32_t line, const std::string& message, ExitCode code = ExitCode::bad_file);
  std::uint32_t line;  ///< line of the PTX text, from 1 on
};

/// Fundamental types (PTX ISA, 5.2).
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
  e4m3x2,
  e5m2x2,
};

/// 0 for none; a predicate takes 4.
[[nodiscard]] std::uint32_t bytes_of(Type type);
/// "u32"; none is "".
[[nodiscard]] std::string_view to_string(Type type);
/// none where there is no type of this name.
[[nodiscard]] Type type_named(std::string_view name);

enum class Space : std::uint8_t { reg, param, local, shared, global, constant };

/// What a .loc names.
struct Location {
  std::uint32_t file = 0;  ///< number in Module::files
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend auto operator<=>(const Location&, const Location&) = default;
};

/// A location in a function, with the one where it was inlined.
struct Site {
  Location at;
  std::uint32_t caller = 0;  ///< number of a site of the function, from 1 on; 0: it is its own
};

/// An address in the initial value of a variable.
struct Relocation {
  std::uint64_t offset = 0;  ///< bytes from the begin of the variable
  std::uint32_t bytes = 8;
  std::string symbol;
  std::int64_t addend = 0;
  bool generic = false;  ///< generic(symbol): an address of the generic space
  /// 0xFF00(symbol): these bits of the address, shifted down to bit 0.
  std::uint64_t mask = ~std::uint64_t{0};
};

/// A variable or parameter: everything that is declared and is not a register.
struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::none;
  std::uint32_t alignment = 1;     ///< bytes
  std::uint64_t bytes = 0;         ///< in all; 0: an array of unknown size
  std::vector<std::byte> initial;  ///< the first of its bytes; the others are 0
  std::vector<Relocation> relocations;
  bool is_extern = false;
  bool is_weak = false;     ///< .weak or .common: one of several equal definitions stays
  bool is_visible = false;  ///< to other modules
  bool is_managed = false;  ///< the host uses it too
  std::uint32_t line = 0;
};

struct Register {
  std::string name;
  Type type = Type::none;
};

struct Operand {
  enum class Kind : std::uint8_t {
    reg,       ///< index: of Function::registers; name: the selector of a part, ".b0", or ""
    special,   ///< name: "%tid.x"
    integer,   ///< bits
    floating,  ///< bits: those of a double, or of a float where `single`
    variable,  ///< index: of Function::variables; + offset
    symbol,    ///< name: of a variable or function of the module; + offset
    label,     ///< index: of the statement that it stands before, the body's size at its end
    table,     ///< index: of Function::tables or Function::prototypes
    address,   ///< [elements[0] + offset]
    vector,    ///< {elements}
    group,     ///< (elements)
    pair,      ///< elements[0] | elements[1]
    sink,      ///< _
  };

  Kind kind = Kind::sink;
  bool negated = false;  ///< !p, -r
  bool single = false;
  std::uint32_t index = 0;
  std::int64_t offset = 0;
  std::uint64_t bits = 0;
  std::string_view name = {};  ///< as written; lives as long as the text of the module
  std::vector<Operand> elements = {};
};

/// One instruction.
struct Statement {
  std::string_view opcode;  ///< the whole spelling: "ld.global.v4.f32"
  std::int32_t guard = -1;  ///< register of @p, or -1
  bool guard_negated = false;
  std::vector<Operand> operands;
  std::uint32_t line = 0;  ///< line of the PTX text
  std::uint32_t site = 0;  ///< index in Function::sites, from 1 on; 0: the text does not say
};

/// A .callprototype, or the parameters of a function.
struct Signature {
  std::vector<Variable> results;
  std::vector<Variable> parameters;
};

/// A kernel (.entry) or a function (.func). Names in nested scopes are resolved.
struct Function {
  std::string name;
  bool is_kernel = false;
  bool is_extern = false;  ///< declared only: its body is in another module, or in ours
  bool is_weak = false;
  bool is_visible = false;
  std::uint32_t line = 0;
  std::vector<Site> sites;
  std::uint32_t max_threads = 0;       ///< .maxntid or .reqntid: their product, 0 for none
  bool exact_threads = false;          ///< .reqntid
  std::vector<std::uint32_t> threads;  ///< the values of that directive, x first
  std::vector<std::uint32_t> cluster;  ///< .reqnctapercluster: blocks, x first
  /// Registers that the body names, and before them parameters declared with .reg.
  std::vector<Register> registers;
  /// Results, then parameters, then what the body declares.
  std::vector<Variable> variables;
  std::uint32_t results = 0;     ///< how many of `variables`
  std::uint32_t parameters = 0;  ///< how many of `variables`, behind the results
  std::vector<Statement> body;
  std::vector<std::vector<std::uint32_t>> tables;  ///< .branchtargets: statements
  std::vector<Signature> prototypes;               ///< .callprototype
};

/// Whether the engine itself defines a function of this name, such as vprintf.
[[nodiscard]] bool is_built_in(std::string_view function);

/// One PTX text, or several that were linked.
class Module {
 public:
  /// `name`: of the file, for messages. Throws PtxError.
  [[nodiscard]] static Module parse(std::string_view text, std::string name);
  /// One module of several that refer to each other by name, as with -rdc=true. Throws PtxError for
  /// two strong definitions of one name and for a variable that nobody defines.
  [[nodiscard]] static Module link(std::vector<Module> modules);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<Function>& functions() const { return functions_; }
  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }
  /// Null where there is none.
  [[nodiscard]] const Function* function(std::string_view name) const;
  [[nodiscard]] const Variable* variable(std::string_view name) const;
  /// The names of all kernels, in the order of the text.
  [[nodiscard]] std::vector<std::string> kernels() const;
  /// The name of a source file; "" for 0.
  [[nodiscard]] std::string_view file(std::uint32_t number) const;

 private:
  friend class Parser;
  friend class Linker;

  std::string name_;
  std::string version_;
  std::string target_;
  std::vector<Function> functions_;
  std::vector<Variable> variables_;
  std::map<std::string, std::size_t, std::less<>> function_numbers_;  // aliases too
  std::map<std::string, std::size_t, std::less<>> variable_numbers_;
  std::map<std::uint32_t, std::string> files_;
  std::vector<std::shared_ptr<const std::string>> texts_;  // what names of operands point into
};

}  // namespace agpusim::ptx
