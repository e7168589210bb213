#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "agpusim/ptx/text/module.hpp"
#include "agpusim/ptx/text/text.hpp"

namespace agpusim::ptx {

/// What stands before the names of a declaration.
struct Specifiers {
  Space space = Space::global;
  Type type = Type::none;
  std::uint32_t components = 1;  ///< elements of a vector, 1 for a scalar
  std::uint32_t alignment = 0;   ///< bytes, 0 for the natural one
  bool is_managed = false;
};

/// ".global"; nothing where it is no space.
[[nodiscard]] std::optional<Space> space_named(std::string_view directive);

/// Parses declarations of variables, parameters and registers.
class Declarations {
 public:
  explicit Declarations(Tokens& tokens) : tokens_(tokens) {}

  /// The space is taken already.
  Specifiers specifiers(Space space);
  /// One name with its array and initial value.
  Variable variable(const Specifiers& specifiers, bool may_lack_size);
  /// "(.param .b32 a, .param .b64 b)", of which ( is taken.
  std::vector<Variable> parameters();
  /// "(...)" with whatever in it: whether `word` is.
  bool skip_group(std::string_view word = {});

 private:
  struct Shape;

  void dimensions(Shape& shape);
  void initial_values(Variable& variable, Shape& shape, std::size_t level, std::uint64_t offset);
  void initial_value(Variable& variable, std::uint64_t offset);
  Relocation relocation();

  Tokens& tokens_;
  std::uint64_t initial_bytes_ = 0;  // bytes of initial values of all variables
};

}  // namespace agpusim::ptx
