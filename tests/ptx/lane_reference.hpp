#pragma once

#include <array>

#include "agpusim/ptx/lower/opcodes.hpp"

// What the PTX ISA document says that one lane gets from an instruction, computed one lane at a
// time and without the engine's arithmetic.
namespace agpusim::ptx {

__extension__ using Whole = __int128;

/// Operands as the bits of their registers, in the order of the text, without the destination.
struct LaneIn {
  std::array<std::uint64_t, 4> bits{};
  bool predicate = false;  ///< the one predicate that is read
  bool other = false;      ///< a second one
  bool carry = false;
  std::int64_t immediate = 0;
};
struct LaneOut {
  std::uint64_t bits = 0;  ///< bits of the register
  bool first = false;      ///< predicates
  bool second = false;
  bool carry = false;
  bool any = false;      ///< the document says nothing of the result
  double relative = 0;   ///< error that is allowed, of the result
  double absolute = 0;   ///< or beyond this
  bool any_nan = false;  ///< what is no number may have any bits
  bool unknown = false;  ///< there is no reference
};

LaneOut integer_reference(std::string_view name, const Spelling& spelling, const LaneIn& in);
LaneOut bit_reference(std::string_view name, const Spelling& spelling, const LaneIn& in);
LaneOut float_reference(std::string_view name, const Spelling& spelling, const LaneIn& in);
LaneOut half_reference(std::string_view name, const Spelling& spelling, const LaneIn& in);
LaneOut convert_reference(const Spelling& spelling, const LaneIn& in);

[[nodiscard]] bool is_float(Type type);  ///< f32, f64
[[nodiscard]] bool is_half(Type type);   ///< one of a register, or both of it
[[nodiscard]] bool is_signed(Type type);
[[nodiscard]] Type doubled(Type type);  ///< the integers of twice as many bits
/// The integer in the lowest bits.
[[nodiscard]] Whole integer_of(Type type, std::uint64_t bits);
/// The lowest bits of an integer, as many as the type has.
[[nodiscard]] std::uint64_t bits_of(Type type, Whole value);
/// The number in the lowest bits, exactly.
[[nodiscard]] double number_of(Type type, std::uint64_t bits);
/// Whether a comparison by this name holds.
[[nodiscard]] bool holds(std::string_view comparison, double a, double b);
[[nodiscard]] bool holds(std::string_view comparison, Whole a, Whole b);
/// A predicate combined with another as the spelling says.
[[nodiscard]] bool combine(const Spelling& spelling, bool value, bool other);

}  // namespace agpusim::ptx
