#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "agpusim/ptx/lower/registers.hpp"

namespace agpusim::ptx {

/// Bytes of a register that a letter of a row asks for, of a lane.
[[nodiscard]] std::uint8_t expected_bytes(char letter, const Spelling& spelling);

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
  [[nodiscard]] std::uint64_t number(const Operand& operand) const;
  [[nodiscard]] std::uint32_t register_of(const Operand& operand) const;
  /// The number of a variable of the module among Program::symbols.
  [[nodiscard]] std::int32_t symbol(std::string_view name);
  [[nodiscard]] std::optional<std::uint32_t> shared_offset(std::string_view name) const;
  /// Throws PtxError (unavailable).
  [[noreturn]] void refuse(const std::string& what) const;

  bool is_clock = false;  ///< the step reads a clock

 private:
  Place special(std::string_view name, std::uint8_t bytes);
  Place take(std::uint32_t bytes);

  Program& program_;
  const Flow& flow_;
  const RegisterPlaces& places_;
  const Step* step_ = nullptr;
  std::map<std::tuple<std::uint64_t, std::uint8_t, std::int32_t>, Place> constants_;
  std::map<std::pair<Special, std::uint8_t>, Place> specials_;
};

/// Adds code, blocks, sources and places of registers to the program.
void decode(Program& program, const Flow& flow);

}  // namespace agpusim::ptx
