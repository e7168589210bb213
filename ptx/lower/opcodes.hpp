#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/ptx/lower/program.hpp"

namespace agpusim::ptx {

/// The spelling of an instruction, taken apart: what each slot of its row's modifiers holds, and
/// how wide its registers are.
struct Spelling {
  std::vector<std::string_view> modifiers;  ///< as written, without the name
  std::array<Type, 2> type{};               ///< the types among them, in order
  std::array<std::uint8_t, 8> bytes{};      ///< bytes of the register of each operand, 0 for none
  std::array<std::uint8_t, 8> registers{};  ///< registers of each operand that is a fragment

  [[nodiscard]] bool has(std::string_view modifier) const;
  /// The numbers of "m16n8k8", a byte each: 0x100808; 0 where there is no shape.
  [[nodiscard]] std::uint32_t shape() const;
};

/// Registers of a fragment that one instruction names, in its places from 1 on. Others that do
/// nothing name more: inputs in front of it, results behind it.
inline constexpr std::size_t fragment_places = 5;
[[nodiscard]] inline Place input_of(const Instruction& instruction, std::size_t number) {
  const auto distance = static_cast<std::ptrdiff_t>(number / fragment_places) + 1;
  return (&instruction - distance)->place[1 + number % fragment_places];
}
[[nodiscard]] inline Place result_of(const Instruction& instruction, std::size_t number) {
  return (&instruction + number / fragment_places)->place[1 + number % fragment_places];
}

/// One row of the table of instructions: complete.
struct Opcode {
  std::string_view name;
  /// Slots divided by spaces, each with its alternatives: "rn|rz? ftz? f32|f64". One that ends with
  /// "?" may be missing.
  std::string_view modifiers;
  /// One letter for each operand; large ones are written. d, t: of the first type; s: of the second
  /// one; w: twice as wide as the first; u: 32 bits; b: 64; p: a predicate; q: two predicates p|q,
  /// or one; r: of the first type and a predicate d|p, or without it; e: 32 bits, or a part of them
  /// that a selector names; g: the same, with a minus sign or without it; x: one or a vector, of
  /// registers that are wide enough; f: a vector, which is the fragment of a matrix: registers of
  /// 64 bits where the first type has so many, else of 32; y large: of the first type, small: of
  /// the second one, in a register that may be wider; m large: 32 bits and a predicate d|p, or
  /// without it; v: a vector, of any registers; a: an address, c: a further one; o: one of a
  /// texture, with coordinates; l: a label; i: a number; n: a number of bytes; m: a member mask,
  /// for which lanes wait; z: any, ignored. A dot ends the operands that must be there.
  std::string_view operands;
  Bill bill = Bill::arithmetic;
  Op op = Op::add;
  /// The operation; null where this row has none for the spelling after all.
  Execute (*choose)(const Spelling&) = nullptr;
  std::int64_t immediate = 0;  ///< Instruction::immediate when it is decoded
  bool is_barrier = false;     ///< all lanes of a warp that have not ended come to it together
};

// The rows of each file.
[[nodiscard]] std::span<const Opcode> integer_rows();
[[nodiscard]] std::span<const Opcode> bit_rows();
[[nodiscard]] std::span<const Opcode> float_rows();
[[nodiscard]] std::span<const Opcode> half_rows();
[[nodiscard]] std::span<const Opcode> convert_rows();
[[nodiscard]] std::span<const Opcode> packed_rows();
[[nodiscard]] std::span<const Opcode> video_rows();
[[nodiscard]] std::span<const Opcode> collective_rows();
[[nodiscard]] std::span<const Opcode> memory_rows();
[[nodiscard]] std::span<const Opcode> texture_rows();
[[nodiscard]] std::span<const Opcode> async_rows();
[[nodiscard]] std::span<const Opcode> tensor_rows();
[[nodiscard]] std::span<const Opcode> control_rows();

/// All rows, in the order in which they are documented.
[[nodiscard]] const std::vector<Opcode>& opcodes();

/// The row of a spelling with such operands, whose modifiers and types are written to `spelling`;
/// null where there is none.
[[nodiscard]] const Opcode* row_of(std::string_view opcode, std::span<const Operand> operands,
                                   Spelling& spelling);

/// The instructions of the PTX ISA that no row has, each behind a space.
[[nodiscard]] std::string refused_names();
/// The table as text, a row a line, and what is refused.
[[nodiscard]] std::string opcode_table();

}  // namespace agpusim::ptx
