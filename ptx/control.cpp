#include "agpusim/ptx/control.hpp"

#include <bit>

#include <fmt/format.h>

#include "agpusim/ptx/access.hpp"
#include "agpusim/ptx/worker.hpp"

namespace agpusim::ptx {
namespace {

/// Lanes of the running group for which a branch is taken.
Lanes taken(Warp& warp, const Instruction& instruction) {
  return instruction.guard == no_place ? warp.group
                                       : warp.group & warp.predicate(instruction.guard);
}

[[noreturn]] void stop(Warp& warp, const Instruction& instruction, Rule rule, Lanes lanes,
                       std::string text) {
  warp.cta.worker.find(rule, warp, instruction, static_cast<std::uint32_t>(std::countr_zero(lanes)),
                       std::move(text));
  throw Stopped{};
}

}  // namespace

void enter(Warp& warp, const Instruction& instruction) {
  const std::uint32_t position = warp.position() - 1;
  if (!warp.meet(position)) return;
  const std::int64_t lanes = std::popcount(warp.group);
  const std::int64_t groups = warp.cta.groups(warp.group);
  Worker::Visits& visits = warp.cta.worker.visits[instruction.target];
  visits.warps += groups;
  visits.lanes += lanes;
  warp.cta.counts.alu += instruction.immediate * groups;
  warp.cta.counts.active_lanes += instruction.immediate * lanes;
}

void enter_together(Warp& warp, const Instruction& instruction) {
  const std::uint32_t position = warp.position() - 1;
  if (!warp.meet(position)) return;
  const Instruction& first = *warp.next;
  Lanes needed = warp.alive();
  if (instruction.place[0] != no_place) {
    Lanes executing = warp.group;
    if (first.guard != no_place) executing &= warp.predicate(first.guard);
    if (executing == 0) return enter(warp, instruction);
    const auto* const masks = warp.row<std::uint32_t>(instruction.place[0]);
    needed = masks[std::countr_zero(executing)];
    for_lanes(executing, [&](std::uint32_t lane) {
      if ((masks[lane] >> lane & 1) == 0) {
        stop(warp, first, Rule::wrong_mask, Lanes{1} << lane,
             fmt::format("its mask 0x{:08x} leaves out the lane itself", masks[lane]));
      }
      needed |= masks[lane];
    });
    needed &= warp.alive();
  }
  const Lanes missing = needed & ~warp.group;
  if (missing == 0) return enter(warp, instruction);
  if (warp.wait_for_lanes(position)) return;
  const bool is_barrier = instruction.place[0] == no_place;
  std::string text = fmt::format("lanes 0x{:08x} do not come here", missing);
  for (const Group& other : warp.standing()) {
    if ((other.lanes & missing) == 0) continue;
    const Instruction& at = warp.cta.program().code[other.position + 1];
    text += fmt::format("; lanes 0x{:08x} stand at {}", other.lanes,
                        warp.cta.program().place(at.statement));
  }
  stop(warp, first, is_barrier ? Rule::divergent_barrier : Rule::wrong_mask, missing, text);
}

void guarded(Warp& warp, const Instruction& instruction) {
  warp.active = warp.group & warp.predicate(instruction.guard);
  const Source& source = warp.cta.program().sources[instruction.statement];
  Counts& of_line = warp.cta.worker.costs[instruction.statement];
  Counts& sum = warp.cta.counts;
  if (warp.active == 0) {
    if (warp.cta.plan.spec.skip_empty || source.bill == Bill::free) return;
    ++sum.idle;
    ++of_line.idle;
    return;
  }
  if (source.bill == Bill::arithmetic) {
    const std::int64_t groups = warp.cta.groups(warp.active);
    const std::int64_t lanes = std::popcount(warp.active);
    sum.alu += groups;
    sum.active_lanes += lanes;
    of_line.alu += groups;
    of_line.active_lanes += lanes;
  }
  instruction.operation(warp, instruction);
}

void branch(Warp& warp, const Instruction& instruction) {
  warp.part(taken(warp, instruction), instruction.target);
}

void branch_back(Warp& warp, const Instruction& instruction) {
  const Lanes back = taken(warp, instruction);
  Worker& worker = warp.cta.worker;
  if (back != 0) worker.take_turn();
  warp.part(back, instruction.target);
  if (back == 0 || instruction.flags == 0) return;
  ++worker.polls;
  warp.yield();
}

void branch_indexed(Warp& warp, const Instruction& instruction) {
  const auto& table = warp.cta.program().tables[static_cast<std::size_t>(instruction.immediate)];
  const auto* const index = warp.row<std::uint32_t>(instruction.place[0]);
  Lanes left = taken(warp, instruction);
  const std::uint32_t behind = warp.position();
  const Lanes rest = warp.group & ~left;
  if (rest != 0) warp.add({behind, rest});
  while (left != 0) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    if (index[lane] >= table.size()) {
      stop(warp, instruction, Rule::out_of_bounds, left,
           fmt::format("goes on at entry {} of a table of {}", index[lane], table.size()));
    }
    Lanes same = 0;
    for_lanes(left, [&](std::uint32_t l) {
      if (index[l] == index[lane]) same |= Lanes{1} << l;
    });
    left &= ~same;
    warp.add({table[index[lane]], same});
  }
  warp.take_lowest();
}

void exit_lanes(Warp& warp, const Instruction& instruction) {
  warp.end_lanes(taken(warp, instruction));
}

void trap(Warp& warp, const Instruction& instruction) {
  stop(warp, instruction, Rule::assertion, warp.active, "the kernel stops itself");
}

void barrier(Warp& warp, const Instruction& instruction) {
  const auto value = [&](std::size_t i) {
    const Place place = instruction.place[i];
    return place == no_place ? 0 : warp.row<std::uint32_t>(place)[std::countr_zero(warp.active)];
  };
  BarrierCall call;
  call.barrier = value(0);
  call.threads = value(1);
  call.waits = (instruction.immediate & 8) == 0;
  call.reduction = static_cast<Reduction>(instruction.immediate & 7);
  if (instruction.place[2] != no_place) call.predicate = warp.predicate(instruction.place[2]);
  call.result = instruction.place[3];
  warp.cta.arrive(warp, instruction, call);
}

void warp_barrier(Warp& warp, const Instruction& /*instruction*/) {
  warp.cta.note_warp_barrier(warp);
}

void fence(Warp& warp, const Instruction& /*instruction*/) { warp.cta.fenced = true; }

void nothing(Warp& /*warp*/, const Instruction& /*instruction*/) {}

}  // namespace agpusim::ptx
