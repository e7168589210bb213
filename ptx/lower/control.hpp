#pragma once

#include "agpusim/ptx/lower/program.hpp"

namespace agpusim::ptx {

/// The begin of a block, which bills what is in it. Instruction::immediate: instructions that are
/// arithmetic; target: the block; flags: 1 in a loop that waits for others.
void enter(Warp& warp, const Instruction& instruction);
/// enter() where the first instruction needs all lanes that have not ended (a barrier), or those of
/// the mask in place[0] (a collective).
void enter_together(Warp& warp, const Instruction& instruction);
/// Calls Instruction::operation for the lanes of the guard.
void guarded(Warp& warp, const Instruction& instruction);

/// bra; Instruction::target.
void branch(Warp& warp, const Instruction& instruction);
/// bra back to the begin of a loop; of a loop that waits for others Instruction::flags is 1.
void branch_back(Warp& warp, const Instruction& instruction);
/// brx.idx: place[0] says which entry of table Instruction::target.
void branch_indexed(Warp& warp, const Instruction& instruction);
/// In front of a function that place[0] may mean: lanes that call another address than
/// Instruction::immediate go to Instruction::target.
void branch_past(Warp& warp, const Instruction& instruction);
/// A call through place[0] of what was not expanded.
void call_unknown(Warp& warp, const Instruction& instruction);
/// What is not supported: throws Program::refusals[Instruction::immediate].
void refuse(Warp& warp, const Instruction& instruction);
/// A call of a function that is running: Program::recursions[Instruction::immediate].
void recurse(Warp& warp, const Instruction& instruction);
/// The end of such a function, of frame Instruction::immediate: lanes that were called by
/// recursion go back behind their calls, the others go on.
void leave(Warp& warp, const Instruction& instruction);
/// exit, and ret of a kernel.
void exit_lanes(Warp& warp, const Instruction& instruction);
/// Whether lanes may go to Instruction::target.
[[nodiscard]] inline bool has_target(const Instruction& instruction) {
  return instruction.execute == &branch || instruction.execute == &branch_back ||
         instruction.execute == &branch_past;
}
/// Whether lanes may go elsewhere than to the next instruction.
[[nodiscard]] inline bool is_jump(const Instruction& instruction) {
  return has_target(instruction) || instruction.execute == &branch_indexed ||
         instruction.execute == &exit_lanes || instruction.execute == &recurse ||
         instruction.execute == &leave;
}
/// What costs nothing and does nothing here.
void nothing(Warp& warp, const Instruction& instruction);
/// trap, and a call of __assertfail.
void trap(Warp& warp, const Instruction& instruction);

}  // namespace agpusim::ptx
