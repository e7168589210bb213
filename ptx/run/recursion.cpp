#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/lower/control.hpp"
#include "agpusim/ptx/run/worker.hpp"

// Functions that call themselves. A frame has one set of registers: a call keeps what a lane has in
// them, and its local variables lie behind those of the calls before.
namespace agpusim::ptx {
namespace {

constexpr std::uint32_t least_frame = 16;  // bytes of a call: where it came from, what it keeps

/// Calls f(its bytes in the row, or those of its predicate's word) for each register of a lane.
template <class F>
void for_rows(Warp& warp, std::uint32_t lane, F f) {
  for (const RegisterRow& row : warp.cta.program().register_rows) {
    if (row.bytes > 0) {
      f(warp.rows + row.place + std::size_t{row.bytes} * lane, row.bytes);
      continue;
    }
    Lanes& word = *warp.row<Lanes>(row.place);
    auto truth = static_cast<std::byte>(word >> lane & 1);
    f(&truth, std::size_t{1});
    word = (word & ~(Lanes{1} << lane)) | static_cast<Lanes>(truth) << lane;
  }
}

/// The local variables of the frames that a call belongs to, `by` bytes on.
void move_locals(Warp& warp, std::uint32_t lane, const Recursion& call, std::uint64_t by) {
  for (const RegisterRow& row : warp.cta.program().local_rows) {
    if (row.frame < call.frame || row.frame > call.last_frame) continue;
    if (row.bytes == 8) {
      warp.row<std::uint64_t>(row.place)[lane] += by;
    } else {
      warp.row<std::uint32_t>(row.place)[lane] += static_cast<std::uint32_t>(by);
    }
  }
}

}  // namespace

void recurse(Warp& warp, const Instruction& instruction) {
  const Program& program = warp.cta.program();
  const Recursion& call = program.recursions[static_cast<std::size_t>(instruction.immediate)];
  for_lanes(warp.group, [&](std::uint32_t lane) {
    auto& calls = warp.cta.calls(warp, lane);
    std::uint64_t used = call.bytes + least_frame;
    for (const Cta::Call& before : calls) used += before.of->bytes + least_frame;
    if (used > stack_bytes) {
      warp.cta.worker.find(Rule::out_of_bounds, warp, instruction, lane,
                           fmt::format("{} recursive calls in one another are more than a stack of "
                                       "{} bytes holds; a GPU has cudaLimitStackSize, by default "
                                       "1,024",
                                       calls.size() + 1, stack_bytes));
      throw Stopped{};
    }
    Cta::Call& kept = calls.emplace_back(Cta::Call{&call, {}});
    for_rows(warp, lane, [&](const std::byte* from, std::size_t bytes) {
      kept.kept.insert(kept.kept.end(), from, from + bytes);
    });
    std::byte* const parameters = warp.cta.local(warp, lane) + program.local_bytes;
    kept.kept.insert(kept.kept.end(), parameters, parameters + program.call_bytes);
    for (const Recursion::Move& move : call.arguments) {
      std::memmove(parameters + move.callee, parameters + move.caller, move.bytes);
    }
    move_locals(warp, lane, call, call.bytes);
  });
  warp.jump(call.entry);
}

void leave(Warp& warp, const Instruction& instruction) {
  const Program& program = warp.cta.program();
  Lanes stays = 0;
  std::vector<std::pair<std::uint32_t, Lanes>> back;
  for_lanes(warp.group, [&](std::uint32_t lane) {
    auto& calls = warp.cta.calls(warp, lane);
    if (calls.empty() || calls.back().of->frame != instruction.immediate) {
      stays |= Lanes{1} << lane;
      return;
    }
    const Cta::Call call = std::move(calls.back());
    calls.pop_back();
    std::byte* const parameters = warp.cta.local(warp, lane) + program.local_bytes;
    const std::vector<std::byte> left(parameters, parameters + program.call_bytes);
    const std::byte* from = call.kept.data();
    for_rows(warp, lane, [&](std::byte* to, std::size_t bytes) {
      std::memcpy(to, from, bytes);
      from += bytes;
    });
    std::memcpy(parameters, from, program.call_bytes);
    for (const Recursion::Move& move : call.of->results) {
      std::memcpy(parameters + move.caller, left.data() + move.callee, move.bytes);
    }
    move_locals(warp, lane, *call.of, 0 - std::uint64_t{call.of->bytes});
    back.emplace_back(call.of->back, Lanes{1} << lane);
  });
  if (back.empty()) return;
  if (stays != 0) warp.add({warp.position(), stays});
  for (const auto& [position, lane] : back) warp.add({position, lane});
  warp.take_lowest();
}

}  // namespace agpusim::ptx
