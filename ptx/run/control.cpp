#include "agpusim/ptx/lower/control.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "agpusim/ptx/lower/callees.hpp"
#include "agpusim/ptx/run/lanes.hpp"
#include "agpusim/ptx/run/worker.hpp"

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
  warp.active = warp.group;
  warp.is_in_waiting_loop = instruction.flags != 0;
  if (instruction.flags == 0) warp.polled &= ~warp.group;
  if (warp.is_polling()) return;
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
  Lanes ended = 0;  // lanes that the masks name
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
    ended = needed & ~warp.alive() & warp.cta.lanes_of(warp);
    needed &= warp.alive();
  }
  const Lanes missing = needed & ~warp.group;
  const bool is_barrier = instruction.place[0] == no_place;
  if (missing == 0) {
    // Lanes that only end need no barrier; such as work on have gone around it.
    const Lanes gone = warp.awaited & ~warp.alive();
    warp.awaited = 0;
    if (gone != 0 && warp.cta.accesses() != warp.requests_before) {
      stop(warp, first, is_barrier ? Rule::divergent_barrier : Rule::wrong_mask, gone,
           fmt::format("lanes 0x{:08x} have ended without coming here", gone));
    }
    Worker& worker = warp.cta.worker;
    const std::string_view opcode = warp.cta.program().sources[first.statement].opcode;
    if (!is_barrier) warp.cta.order.shuffle(warp.number, needed);
    if (ended != 0 && !opcode.starts_with("bar") &&
        !worker.has_met(Rule::ended_lanes, warp, first)) {
      worker.find(Rule::ended_lanes, warp, first,
                  static_cast<std::uint32_t>(std::countr_zero(warp.group)),
                  fmt::format("its mask names lanes 0x{:08x}, which have ended", ended));
    }
    return enter(warp, instruction);
  }
  if (warp.awaited == 0) warp.requests_before = warp.cta.accesses();
  warp.awaited |= missing;
  if (warp.wait_for_lanes(position)) return;
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
  if (source.bill == Bill::arithmetic && !warp.is_polling()) {
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
  warp.part(back, instruction.target);
  if (back != 0 && worker.take_turn(warp, instruction)) warp.stop(Wait::share);
  if (back == 0 || instruction.flags == 0) return;
  ++worker.polls;
  warp.polled |= back;
  warp.yield();
}

void branch_indexed(Warp& warp, const Instruction& instruction) {
  const auto& table = warp.cta.program().tables[instruction.target];
  const auto* const index = warp.row<std::uint32_t>(instruction.place[0]);
  Lanes left = taken(warp, instruction);
  const std::uint32_t behind = warp.position();
  const Lanes rest = warp.group & ~left;
  bool goes_back = false;
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
    goes_back = goes_back || table[index[lane]] < behind;
  }
  warp.take_lowest();
  if (goes_back && warp.cta.worker.take_turn(warp, instruction)) warp.stop(Wait::share);
}

void branch_past(Warp& warp, const Instruction& instruction) {
  const auto* const callee = warp.row<std::uint64_t>(instruction.place[0]);
  const auto wanted = static_cast<std::uint64_t>(instruction.immediate);
  const Lanes others = lanes_where([&](std::uint32_t l) { return callee[l] != wanted; });
  warp.part(warp.group & others, instruction.target);
}

void call_unknown(Warp& warp, const Instruction& instruction) {
  const Program& program = warp.cta.program();
  const auto callee = warp.row<std::uint64_t>(instruction.place[0])[std::countr_zero(warp.active)];
  const Function* const function = function_at(*program.module, callee);
  if (function == nullptr) {
    stop(warp, instruction, Rule::out_of_bounds, warp.active,
         fmt::format("calls 0x{:x}, where no function is", callee));
  }
  throw PtxError(program.sources[instruction.statement].line,
                 fmt::format("a call of {} through a register, recursive or of another prototype "
                             "({}), is not supported",
                             function->name, program.place(instruction.statement)),
                 ExitCode::unavailable);
}

void refuse(Warp& warp, const Instruction& instruction) {
  throw PtxError(warp.cta.program().refusals[static_cast<std::size_t>(instruction.immediate)]);
}

void exit_lanes(Warp& warp, const Instruction& instruction) {
  warp.end_lanes(taken(warp, instruction));
}

void nothing(Warp& /*warp*/, const Instruction& /*instruction*/) {}

void trap(Warp& warp, const Instruction& instruction) {
  const auto& specials = warp.cta.program().specials;
  const bool asks_for_grid =
      std::any_of(specials.begin(), specials.end(),
                  [](const SpecialRow& row) { return row.special == Special::envreg1; });
  stop(warp, instruction, Rule::trap, warp.active,
       asks_for_grid && warp.cta.plan.grid_barrier == 0
           ? "the kernel stops itself: a grid cannot synchronise unless its launch is cooperative "
             "(cudaLaunchCooperativeKernel)"
           : "the kernel stops itself");
}

namespace {

std::uint32_t value_at(Warp& warp, Place place) {
  if (place == no_place) return 0;
  return warp.row<std::uint32_t>(place)[std::countr_zero(warp.active)];
}

/// bar.sync and bar.arrive: place[0] barrier, [1] threads.
template <bool waits>
void barrier(Warp& warp, const Instruction& i) {
  BarrierCall call;
  call.barrier = value_at(warp, i.place[0]);
  call.threads = value_at(warp, i.place[1]);
  call.waits = waits;
  warp.cta.arrive(warp, i, call);
}
/// bar.red: place[0] result, [1] barrier, [2] threads where there are, then the predicate.
template <Reduction reduction, bool has_threads>
void barrier_reduction(Warp& warp, const Instruction& i) {
  BarrierCall call;
  call.barrier = value_at(warp, i.place[1]);
  call.threads = has_threads ? value_at(warp, i.place[2]) : 0;
  call.reduction = reduction;
  call.predicate = warp.predicate(i.place[has_threads ? 3 : 2]);
  call.result = i.place[0];
  warp.cta.arrive(warp, i, call);
}
/// The barrier of a cluster, which is one CTA: what has arrived waits here.
void cluster_barrier(Warp& warp, const Instruction& i) {
  BarrierCall call;
  call.barrier = BarrierCall::of_cluster;
  warp.cta.arrive(warp, i, call);
}
void warp_barrier(Warp& warp, const Instruction& i) {
  const auto* const masks = warp.row<Lanes>(i.place[0]);
  Lanes left = warp.active;
  for_lanes(warp.active, [&](std::uint32_t lane) {
    if ((left >> lane & 1) == 0) return;
    warp.cta.order.sync(warp.number, masks[lane]);
    left &= ~masks[lane];
  });
}
template <Scope scope>
void fence(Warp& warp, const Instruction& /*i*/) {
  if (warp.cta.plan.options.checks()) warp.cta.order.fence(warp.number, warp.active, scope);
}

/// cvta: from the addresses of a window, or to them.
template <std::uint64_t window, bool to_window>
struct Convert {
  static std::uint64_t of(std::uint64_t a) { return to_window ? a - window : a + window; }
};
template <bool to_window>
Execute choose_convert(const Spelling& spelling) {
  using Wide = std::uint64_t;
  if (spelling.has("shared") || spelling.has("shared::cta")) {
    return &each_lane<Convert<shared_window, to_window>, Wide, Wide>;
  }
  if (spelling.has("local")) return &each_lane<Convert<local_window, to_window>, Wide, Wide>;
  if (spelling.has("param") || spelling.has("param::entry")) {
    return &each_lane<Convert<parameter_window, to_window>, Wide, Wide>;
  }
  return &each_lane<Convert<0, to_window>, Wide, Wide>;
}
/// isspacep: place[0] whether place[1] is an address of the window; 0: of none of them.
template <std::uint64_t window>
void is_in_window(Warp& warp, const Instruction& i) {
  const auto* const address = warp.row<std::uint64_t>(i.place[1]);
  warp.set_predicate(i.place[0], lanes_where([&](std::uint32_t l) {
                       const std::uint64_t base = address[l] / shared_window * shared_window;
                       const bool is_global = base == 0 || base > parameter_window;
                       return window == 0 ? is_global : base == window;
                     }));
}

constexpr auto none = Bill::free;
constexpr std::string_view all_threads = "cta? sync aligned?";

template <Reduction reduction>
constexpr Opcode reduction_row(std::string_view name, std::string_view modifiers, bool threads) {
  const bool counts = reduction == Reduction::popc;
  return {name,
          modifiers,
          threads ? (counts ? "Uuup" : "Puup") : (counts ? "Uup" : "Pup"),
          none,
          Op::add,
          threads ? always<barrier_reduction<reduction, true>>
                  : always<barrier_reduction<reduction, false>>,
          0,
          true};
}
constexpr Opcode barrier_row(std::string_view name, std::string_view modifiers,
                             Execute (*choose)(const Spelling&)) {
  return {name, modifiers, "u.u", none, Op::add, choose, 0, true};
}

constexpr Opcode rows[] = {
    {"bra", "uni?", "l", none, Op::add, always<branch>},
    {"brx", "idx uni?", "uz", none, Op::add, always<branch_indexed>},
    {"trap", "", "", none, Op::add, always<trap>},
    barrier_row("bar", all_threads, always<barrier<true>>),
    barrier_row("barrier", all_threads, always<barrier<true>>),
    barrier_row("bar", "cta? arrive aligned?", always<barrier<false>>),
    barrier_row("barrier", "cta? arrive aligned?", always<barrier<false>>),
    reduction_row<Reduction::popc>("bar", "cta? red popc aligned? u32", false),
    reduction_row<Reduction::popc>("bar", "cta? red popc aligned? u32", true),
    reduction_row<Reduction::all>("bar", "cta? red and aligned? pred", false),
    reduction_row<Reduction::all>("bar", "cta? red and aligned? pred", true),
    reduction_row<Reduction::any>("bar", "cta? red or aligned? pred", false),
    reduction_row<Reduction::any>("bar", "cta? red or aligned? pred", true),
    reduction_row<Reduction::popc>("barrier", "cta? red popc aligned? u32", false),
    reduction_row<Reduction::popc>("barrier", "cta? red popc aligned? u32", true),
    reduction_row<Reduction::all>("barrier", "cta? red and aligned? pred", false),
    reduction_row<Reduction::all>("barrier", "cta? red and aligned? pred", true),
    reduction_row<Reduction::any>("barrier", "cta? red or aligned? pred", false),
    reduction_row<Reduction::any>("barrier", "cta? red or aligned? pred", true),
    {"barrier", "cluster arrive release|relaxed? aligned?", "", none, Op::add, always<nothing>},
    {"barrier", "cluster wait acquire? aligned?", "", none, Op::add, always<cluster_barrier>, 0,
     true},
    {"bar", "warp sync", "m", none, Op::add, always<warp_barrier>},
    {"membar", "gl|sys", "", none, Op::add, always<fence<Scope::device>>},
    {"membar", "cta", "", none, Op::add, always<fence<Scope::cta>>},
    {"fence", "sc|acq_rel|acquire|release? gpu|sys", "", none, Op::add,
     always<fence<Scope::device>>},
    {"fence", "sc|acq_rel|acquire|release? cta|cluster", "", none, Op::add,
     always<fence<Scope::cta>>},
    {"fence", "mbarrier_init release cluster", "", none, Op::add, always<nothing>},
    {"fence", "proxy async|alias global|shared::cta|shared::cluster?", "", none, Op::add,
     always<nothing>},
    {"cvta", "global|shared|shared::cta|local|const|param|param::entry u64", "Dt", none, Op::add,
     choose_convert<false>},
    {"cvta", "to global|shared|shared::cta|local|const|param|param::entry u64", "Dt", none, Op::add,
     choose_convert<true>},
    {"isspacep", "global|const", "Pb", Bill::arithmetic, Op::compare, always<is_in_window<0>>},
    {"isspacep", "shared|shared::cta|shared::cluster", "Pb", Bill::arithmetic, Op::compare,
     always<is_in_window<shared_window>>},
    {"isspacep", "local", "Pb", Bill::arithmetic, Op::compare, always<is_in_window<local_window>>},
    {"isspacep", "param|param::entry", "Pb", Bill::arithmetic, Op::compare,
     always<is_in_window<parameter_window>>},
    {"nanosleep", "u32", "t", none, Op::add, always<nothing>},
    {"griddepcontrol", "launch_dependents|wait", "", none, Op::add, always<nothing>},
    {"pmevent", "mask?", "z", none, Op::add, always<nothing>},
};

}  // namespace

std::span<const Opcode> control_rows() { return rows; }

}  // namespace agpusim::ptx
