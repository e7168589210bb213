#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "agpusim/model/agpu/instruction_prices.hpp"
#include "agpusim/ptx/lower/program.hpp"
#include "agpusim/ptx/text/module.hpp"

namespace agpusim::ptx {

/// How many machine instructions ptxas makes of one instruction of PTX, on the average of the
/// table's kernels (bench/compiled_counters.cpp); one after the other, in the order of the text.
class MachineInstructions {
 public:
  /// Tells the source what slow unit takes it. `frame` tells registers of inlined functions apart.
  double of(Source& source, const Statement& statement, std::uint32_t frame) {
    source.special = special_function_of(source.opcode);
    const auto is = [&](std::string_view start) { return source.opcode.starts_with(start); };
    const bool scaled = scaled_;  // a product or shift before an addition of 64 bits is part of it
    scaled_ = is("mul.wide.") || is("shl.b64");
    if (source.bill != Bill::arithmetic) return is("cvta.") || is("ld.param.") ? 0 : 1;
    if (source.special != nullptr) return source.special->machine;
    if (is_truth(statement, frame) || is_fused(statement, frame)) return 0;
    if (is("mov.")) return 1.0 / 3;                                 // most are names of values
    if (is("cvt.u32.u64") || is("neg.f") || is("abs.f")) return 0;  // part of what uses them
    if (is("cvt.") || scaled_ || (scaled && (is("add.s64") || is("add.u64")))) return 1;
    return price_of(source.op, source.wide).instructions;
  }

 private:
  /// Whether the statement turns a predicate into a number or back: ptxas keeps it a predicate.
  bool is_truth(const Statement& statement, std::uint32_t frame) {
    const auto is = [&](std::string_view start) { return statement.opcode.starts_with(start); };
    const auto& operand = statement.operands;
    const auto is_number = [&](std::size_t i) { return operand[i].kind == Operand::Kind::integer; };
    const auto holds = [&](std::size_t i) {
      return operand[i].kind == Operand::Kind::reg && truths_.contains({frame, operand[i].index});
    };
    const auto is_mask = [&](std::size_t i) { return is_number(i) && operand[i].bits == 1; };
    if (operand.size() < 3) return false;
    if (is("setp.ne.") || is("setp.eq.")) {
      return holds(1) && is_number(2) && operand[2].bits == 0;
    }
    const bool chosen = is("selp.") && is_number(1) && is_number(2);
    const bool masked = is("and.b32") && holds(1) && is_mask(2);
    const bool combined =
        (is("and.b32") || is("or.b32") || is("xor.b32") || is("selp.b32")) && holds(1) && holds(2);
    if (chosen || masked || combined) truths_.insert({frame, operand[0].index});
    return chosen || masked;
  }

  /// Whether the statement adds a product, both without a rounding of their own: ptxas makes one
  /// instruction of them, which the product has paid for.
  bool is_fused(const Statement& statement, std::uint32_t frame) {
    const std::string_view opcode = statement.opcode;
    const auto is = [&](std::string_view start) { return opcode.starts_with(start); };
    const auto& operand = statement.operands;
    if (opcode.find(".f") == opcode.npos || opcode.find(".r") != opcode.npos || operand.size() != 3)
      return false;
    if (is("mul.")) products_.insert({frame, operand[0].index});
    if (!is("add.") && !is("sub.")) return false;
    for (std::size_t i = 1; i < operand.size(); ++i) {
      if (operand[i].kind == Operand::Kind::reg && products_.erase({frame, operand[i].index}) > 0)
        return true;
    }
    return false;
  }

  std::set<std::pair<std::uint32_t, std::uint32_t>> products_;  // frames and registers
  bool scaled_ = false;
  std::set<std::pair<std::uint32_t, std::uint32_t>> truths_;  // frames and registers
};

}  // namespace agpusim::ptx
