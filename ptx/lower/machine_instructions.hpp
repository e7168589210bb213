#pragma once

#include <string_view>

#include "agpusim/model/agpu/instruction_prices.hpp"
#include "agpusim/ptx/lower/program.hpp"

namespace agpusim::ptx {

/// How many machine instructions ptxas makes of one instruction of PTX, on the average of the
/// table's kernels (bench/compiled_counters.cpp); one after the other, in the order of the text.
class MachineInstructions {
 public:
  double of(const Source& source) {
    const auto is = [&](std::string_view start) { return source.opcode.starts_with(start); };
    const bool scaled = scaled_;  // a product or shift before an addition of 64 bits is part of it
    scaled_ = is("mul.wide.") || is("shl.b64");
    if (source.bill != Bill::arithmetic) return is("cvta.") || is("ld.param.") ? 0 : 1;
    if (is("mov.")) return 1.0 / 3;                                 // most are names of values
    if (is("cvt.u32.u64") || is("neg.f") || is("abs.f")) return 0;  // part of what uses them
    if (is("cvt.") || scaled_ || (scaled && (is("add.s64") || is("add.u64")))) return 1;
    return price_of(source.op, source.wide).instructions;
  }

 private:
  bool scaled_ = false;
};

}  // namespace agpusim::ptx
