#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "agpusim/ptx/lower/registers.hpp"

namespace agpusim::ptx {

/// Bytes of a register that a letter of a row asks for, of a lane.
[[nodiscard]] std::uint8_t expected_bytes(char letter, const Spelling& spelling);

/// The parts of its operands that a video instruction takes, as Instruction::immediate has them.
struct Selection {
  /// First byte of each element among the 8 bytes of b:a, 4 bits each, from the lowest element on;
  /// 0xF where there is none.
  std::uint16_t first_a = 0xFFF0;
  std::uint16_t first_b = 0xFFF4;
  std::uint8_t bytes_a = 4;  ///< bytes of an element
  std::uint8_t bytes_b = 4;
  std::uint8_t written = 0xF;  ///< bytes of d that are not c's, bit by bit
  std::uint8_t minus = 0;      ///< bit 0: the product is subtracted, bit 1: c
};

/// What an access to a texture or surface says, as Instruction::immediate has it.
struct TextureForm {
  enum Boundary : std::uint8_t { trap, clamp, zero };
  static constexpr std::size_t coordinates = 4;  ///< inputs of the instruction; values follow
  std::uint8_t directions = 0;
  bool is_layered = false;
  bool is_cube = false;
  bool is_whole = false;  ///< coordinates are integers
  Boundary boundary = trap;
  std::uint8_t unused[3] = {};
};

/// Sets what the modifiers of an access to memory say.
void memory_modifiers(Instruction& result, const Spelling& spelling);

/// Places of an instruction that has fragments: more than Instruction::place holds.
struct FragmentPlaces {
  std::vector<Place> inputs = {};
  std::vector<Place> results = {};

  void add(Place place, bool is_written) { (is_written ? results : inputs).push_back(place); }
  /// Adds the instruction to the code and, where it has fragments, those that name its places, as
  /// input_of() and result_of() find them. The last source is the instruction's.
  void append(Instruction instruction, Program& program) const;
};

/// Where the operands of a kernel's instructions lie: in registers, or in rows that hold a constant
/// or a special register, which it adds to the program.
class Operands {
 public:
  Operands(Program& program, const Flow& flow, const RegisterPlaces& places)
      : program_(program), flow_(flow), places_(places) {}

  /// The step whose operands are asked for.
  void at(const Step& step) {
    step_ = &step;
    is_clock = false;
  }
  [[nodiscard]] Place predicate(const Operand& operand, bool is_written);
  /// The place of a value of so many bytes; `has` is told how many the register has. Throws
  /// PtxError where a register has another width.
  [[nodiscard]] Place value(const Operand& operand, std::uint8_t bytes, bool may_be_wider,
                            std::uint8_t* has);
  /// With 0 bytes it is a predicate. `of_symbol`: symbol whose address is added, or -1.
  [[nodiscard]] Place constant(std::uint64_t bits, std::uint8_t bytes, std::int32_t of_symbol);
  /// Adds the places of a fragment.
  void fragment(const Operand& operand, const Spelling& spelling, bool is_written,
                FragmentPlaces& places);
  /// [object, {coordinates}]: gives the instruction the object, and returns the coordinates.
  [[nodiscard]] std::vector<Place> texel(const Operand& operand, const Spelling& spelling,
                                         Instruction& result);
  /// A row for addresses that an operation computes itself.
  [[nodiscard]] Place addresses();
  [[nodiscard]] std::uint64_t number(const Operand& operand) const;
  /// Instruction::immediate of the step: that of its row, with what its operands select.
  [[nodiscard]] std::int64_t immediate() const;
  [[nodiscard]] std::uint32_t register_of(const Operand& operand) const;
  /// The number of a variable of the module among Program::symbols.
  [[nodiscard]] std::int32_t symbol(std::string_view name);
  [[nodiscard]] std::optional<std::uint32_t> shared_offset(std::string_view name) const;
  /// Throws PtxError (unavailable).
  [[noreturn]] void refuse(const std::string& what) const;

  bool is_clock = false;  ///< the step reads a clock

 private:
  void select(Selection& selection, std::string_view selector, std::size_t i) const;
  /// Whether the step's row has an operand with one of these letters.
  [[nodiscard]] bool has_letter(std::string_view letters) const;
  [[noreturn]] void fail(std::string_view what) const;
  Place special(std::string_view name, std::uint8_t bytes);
  Place take(std::uint32_t bytes);

  Program& program_;
  const Flow& flow_;
  const RegisterPlaces& places_;
  const Step* step_ = nullptr;
  Place addresses_ = no_place;
  std::map<std::tuple<std::uint64_t, std::uint8_t, std::int32_t>, Place> constants_;
  std::map<std::pair<Special, std::uint8_t>, Place> specials_;
};

/// Adds code, blocks, sources and places of registers to the program.
void decode(Program& program, const Flow& flow);

}  // namespace agpusim::ptx
