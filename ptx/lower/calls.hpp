#pragma once

#include <string_view>

#include "agpusim/ptx/lower/program.hpp"

namespace agpusim::ptx {

/// What a call of a function does that the engine itself has: vprintf, __assertfail, malloc, free;
/// null for others, or with another number of parameters and results. Instruction::place holds
/// their offsets in the memory of call parameters.
[[nodiscard]] Execute built_in_function(std::string_view name, std::size_t parameters);

/// The clock of a CTA: time units that it has been charged, and those for which it has waited. A
/// loop that does nothing but read the clock waits for a time: it soon takes large steps.
template <class T>
void read_clock(Warp& warp, const Instruction& instruction);

}  // namespace agpusim::ptx
