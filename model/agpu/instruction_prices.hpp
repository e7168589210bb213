#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "agpusim/model/agpu/execution.hpp"

namespace agpusim {

/// What nvcc makes of one operation of the vocabulary on lanes of one width, for sm_90.
struct InstructionPrice {
  double instructions;  ///< SASS instructions
  double arithmetic;  ///< SASS instructions on the ALU pipe: logic, shifts, comparisons, selection
  double multiplication;  ///< SASS instructions on the multiplier's pipe
  std::int32_t latency;   ///< cycles until a dependent instruction can issue
};

/// By operation; 32-bit lanes, then 64-bit ones. Latencies of single instructions are 4.2 cycles,
/// measured with dependent chains of one warp; expansions are those of the instruction counters of
/// the measured kernels (docs/reference/prediction.md).
inline constexpr std::array<InstructionPrice, 2 * op_kinds> instruction_prices = {{
    {1, 0, 0, 4},       // add: either pipe
    {1, 1, 0, 4},       // logic
    {1, 1, 0, 4},       // shift
    {1, 0, 1, 4},       // multiply
    {22, 8, 6, 66},     // divide: reciprocal, two corrections
    {1, 1, 0, 4},       // compare
    {1, 1, 0, 4},       // minimum
    {1, 1, 0, 4},       // select
    {1, 1, 0, 4},       // convert
    {0.5, 0.5, 0, 4},   // truth: folded into comparisons
    {1, 0, 0.5, 4},     // floating: two pipes
    {10, 2, 4, 40},     // floating_divide
    {2, 0, 0, 8},       // 64 bit: add with carry
    {2, 2, 0, 4},       // logic
    {3, 3, 0, 8},       // shift
    {4, 0, 4, 12},      // multiply
    {70, 20, 25, 184},  // divide
    {2, 2, 0, 8},       // compare
    {4, 4, 0, 12},      // minimum: compare and two selections
    {2, 2, 0, 6},       // select
    {2, 2, 0, 6},       // convert
    {0.5, 0.5, 0, 4},   // truth
    {1, 0, 1, 8},       // floating: half rate
    {24, 2, 30, 120},   // floating_divide
}};

/// Scalar instructions of a warp behind every sync(), for what the next stage of a kernel works on:
/// strides, offsets, bounds of loops. From the same counters.
inline constexpr std::int32_t stage_instructions = 10;

/// Between the issue of an instruction of a task alone on a multiprocessor and of the next, in
/// 1 / lone_units of a cycle.
namespace issue_slots {
inline constexpr std::int64_t add_slots = 25;
inline constexpr std::int64_t slots = 40;
inline constexpr std::int64_t shared_slots = 4 * lone_units;
inline constexpr std::int64_t global_slots = 80;
inline constexpr std::int64_t view_slots = 110;
inline constexpr std::int64_t decision_slots = 28 * lone_units;
inline constexpr std::int64_t guard_slots = 9 * lone_units;
inline constexpr std::int64_t round_slots = 15 * lone_units;
/// Slots of a barrier of so many warps.
[[nodiscard]] constexpr std::int64_t sync_slots(std::int32_t warps) {
  return warps == 1 ? lone_units : 12 * lone_units + 2 * lone_units * warps;
}
}  // namespace issue_slots

/// Cycles until a read of shared memory, or one that the L1 cache serves, has arrived.
[[nodiscard]] constexpr std::int64_t shared_latency(std::size_t bytes) {
  return bytes > 4 ? 25 : 23;
}
inline constexpr std::int64_t hit_latency = 34;
/// Words that a lane reads in turns of a loop which the compiler puts together.
inline constexpr std::int64_t words_in_flight = 16;
/// Turns of a loop that it puts together, where branches part their reads.
inline constexpr std::int64_t turns_together = 4;

[[nodiscard]] inline const InstructionPrice& price_of(Op op, bool wide) {
  return instruction_prices[static_cast<std::size_t>(op) + (wide ? op_kinds : 0)];
}

}  // namespace agpusim
