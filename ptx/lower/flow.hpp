#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/ptx/lower/opcodes.hpp"
#include "agpusim/ptx/text/locations.hpp"

namespace agpusim::ptx {

/// A variable of a kernel or of a function that it calls, with its place.
struct Placed {
  enum class Kind : std::uint8_t { kernel_parameter, call_parameter, local, shared };
  Kind kind = Kind::local;
  std::uint32_t offset = 0;  ///< bytes, in its memory
};

/// A function with the registers and variables of one of its calls. Calls are expanded: a function
/// that is called twice is there twice.
struct Frame {
  const Function* function = nullptr;
  std::uint32_t first_register = 0;
  std::vector<Placed> variables;
  std::uint32_t call = 0;            ///< site of its call; 0: the kernel
  std::vector<std::uint32_t> sites;  ///< indices in Flow::sites of the function's sites
  bool is_recursive = false;         ///< its local variables lie elsewhere in each call
};

/// A call of a function that is running: its frame is entered again.
struct RecursiveCall {
  std::uint32_t step = 0;  ///< lanes come back behind it
  std::uint32_t frame = 0;
  std::uint32_t last_frame = 0;  ///< last frame that belongs to `frame`
  std::uint32_t entry = 0;       ///< first step of the frame
  std::uint32_t bytes = 0;       ///< bytes of local memory that a call takes
  /// Results, then arguments, as the caller has them; those of the frame are its first variables.
  std::vector<std::uint32_t> given;
};

/// One instruction of the expanded kernel.
struct Step {
  enum class Kind : std::uint8_t { instruction, jump, exit, call, recurse, leave };
  Kind kind = Kind::instruction;
  const Statement* statement = nullptr;
  std::uint32_t frame = 0;
  std::uint32_t site = 0;   ///< index in Flow::sites; what has no line is at the call
  std::int64_t guard = -1;  ///< register of the kernel, or -1
  bool guard_negated = false;
  std::uint32_t target = 0;  ///< jump: a step; recurse: index in Flow::recursive_calls
  /// Register of an indirect call: a jump is for lanes that call another address than `address`,
  /// and a call means no function that was expanded.
  const Operand* callee = nullptr;
  std::uint64_t address = 0;
  const Opcode* row = nullptr;
  Spelling spelling;
  std::int32_t refusal = -1;  ///< index in Flow::refusals where it is not supported
};

/// Steps that follow each other.
struct Piece {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::vector<std::uint32_t> next;  ///< pieces; the first one is that behind it, if it goes there
  bool falls_through = false;
};

/// A kernel with all that it calls, and the order in which its pieces stand.
///
/// Where lanes part, those that stand lowest run first. So the order is not that of the text: it is
/// a topological one in which the pieces of a loop stand together, before what follows the loop.
struct Flow {
  CallSites sites;
  std::vector<Frame> frames;
  std::vector<Step> steps;
  std::vector<std::vector<std::uint32_t>> tables;  ///< steps where each brx.idx goes
  std::vector<Piece> pieces;
  std::vector<std::uint32_t> order;  ///< pieces that can be reached, as they run
  std::uint32_t registers = 0;
  std::uint32_t local_bytes = 0;
  std::uint32_t call_bytes = 0;
  std::uint32_t shared_bytes = 0;
  std::vector<std::pair<std::string_view, std::uint32_t>> shared_variables;  ///< with module scope
  std::vector<SharedArray> shared_arrays;                                    ///< all
  std::vector<Placed> parameters;
  std::vector<RecursiveCall> recursive_calls;
  std::vector<PtxError> refusals;  ///< thrown where a step is executed that is not supported

  /// Throws PtxError (bad_file) for calls that do not fit.
  Flow(const Module& module, const Function& kernel);
};

/// What is not supported, with the place of the step.
[[nodiscard]] PtxError refusal(const Module& module, const Flow& flow, const Step& step,
                               const std::string& what);

/// The nodes of a loop.
struct LoopRange {
  std::vector<std::uint32_t> nodes;
};
/// The order of the graph `next` from node 0 on: topological but for jumps back, with the nodes of
/// a loop, its entry first, together; of several the smallest first. Its loops, outer ones first.
[[nodiscard]] std::vector<std::uint32_t> loops_together(
    const std::vector<std::vector<std::uint32_t>>& next, std::vector<LoopRange>& loops);
/// Moves in front of each loop what lanes that leave it do before they meet those that leave it
/// elsewhere: hardware lets them do that at once, and not together with lanes of later turns.
void put_exits_before(const std::vector<std::vector<std::uint32_t>>& next,
                      const std::vector<LoopRange>& loops, std::vector<std::uint32_t>& order);

}  // namespace agpusim::ptx
