#include "agpusim/ptx/run/cta.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/run/cta_recorder.hpp"
#include "agpusim/ptx/run/worker.hpp"

namespace agpusim::ptx {
namespace {

/// Value of a special register in one lane.
std::uint64_t value_of(Special special, const LaunchPlan& plan, std::uint64_t cta,
                       std::uint32_t thread) {
  const Dim3& block = plan.block;
  const Dim3& grid = plan.grid;
  const std::uint32_t lane = thread % warp_lanes;
  const Lanes bit = Lanes{1} << lane;
  switch (special) {
    case Special::tid_x:
      return thread % block.x;
    case Special::tid_y:
      return thread / block.x % block.y;
    case Special::tid_z:
      return thread / block.x / block.y;
    case Special::ntid_x:
      return block.x;
    case Special::ntid_y:
      return block.y;
    case Special::ntid_z:
      return block.z;
    case Special::ctaid_x:
      return cta % grid.x;
    case Special::ctaid_y:
      return cta / grid.x % grid.y;
    case Special::ctaid_z:
      return cta / grid.x / grid.y;
    case Special::nctaid_x:
      return grid.x;
    case Special::nctaid_y:
      return grid.y;
    case Special::nctaid_z:
      return grid.z;
    case Special::laneid:
      return lane;
    case Special::warpid:
      return thread / warp_lanes;
    case Special::nwarpid:
      return plan.warps;
    case Special::smid:
      return cta % static_cast<std::uint64_t>(plan.spec.multiprocessors());
    case Special::nsmid:
      return static_cast<std::uint64_t>(plan.spec.multiprocessors());
    case Special::gridid:
      return 0;
    case Special::envreg1:
      return plan.grid_barrier >> 32;
    case Special::envreg2:
      return plan.grid_barrier & UINT32_MAX;
    case Special::lanemask_eq:
      return bit;
    case Special::lanemask_lt:
      return bit - 1;
    case Special::lanemask_le:
      return (bit - 1) | bit;
    case Special::lanemask_gt:
      return ~((bit - 1) | bit);
    case Special::lanemask_ge:
      return ~(bit - 1);
    case Special::dynamic_smem_size:
      return plan.dynamic_shared;
    case Special::total_smem_size:
      return plan.shared_bytes;
    case Special::cluster_rank:
      return 0;
    case Special::cluster_size:
      return 1;
  }
  return 0;
}

/// Whether it differs between CTAs.
bool is_of_cta(Special special) {
  return special == Special::ctaid_x || special == Special::ctaid_y ||
         special == Special::ctaid_z || special == Special::smid;
}

/// A row of `bytes` bytes a lane, or of 0 for a predicate: value(lane).
template <class F>
void fill(std::byte* row, std::uint32_t bytes, F value) {
  const auto as = [&]<class T>(T /*type*/, std::uint32_t count) {
    auto* const to = reinterpret_cast<T*>(row);
    for (std::uint32_t l = 0; l < count; ++l) to[l] = static_cast<T>(value(l));
  };
  if (bytes == 8) return as(std::uint64_t{}, warp_lanes);
  if (bytes == 2) return as(std::uint16_t{}, warp_lanes);
  as(std::uint32_t{}, bytes == 0 ? 1 : warp_lanes);
}

/// Numbers of the bits that are set, as text: "0, 2 to 15".
std::string numbers_text(std::uint32_t bits) {
  std::string text;
  while (bits != 0) {
    const int first = std::countr_zero(bits);
    const int count = std::countr_one(bits >> first);
    text += fmt::format("{}{}", text.empty() ? "" : ", ", first);
    if (count > 1) text += fmt::format(" to {}", first + count - 1);
    bits &= ~static_cast<std::uint32_t>(((std::uint64_t{1} << count) - 1) << first);
  }
  return text;
}

}  // namespace

Cta::Cta(Worker& of, const LaunchPlan& launch)
    : worker(of),
      plan(launch),
      shared(launch.shared_bytes + 4 * warp_lanes),
      group_lanes_(static_cast<std::uint32_t>(launch.spec.block_words)),
      rows_(std::size_t{launch.warps} * launch.program.row_bytes + 64),
      local_bytes_((launch.program.local_bytes + launch.program.call_bytes + 15) / 16 * 16) {
  local_.resize(local_bytes_ * plan.warps * warp_lanes);
  warps_.reserve(plan.warps);
  const Program& kernel = plan.program;
  const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(rows_.data()) % 64;
  std::byte* const first = rows_.data() + (64 - misaligned) % 64;
  for (std::uint32_t w = 0; w < plan.warps; ++w) {
    Warp& warp = warps_.emplace_back(*this, w);
    warp.rows = first + std::size_t{w} * kernel.row_bytes;
    fill_specials(warp, false);
    for (const Constant& constant : kernel.constants) {
      const std::uint64_t base =
          constant.symbol < 0 ? 0 : plan.symbols[static_cast<std::size_t>(constant.symbol)];
      const std::uint64_t value = base + constant.bits;
      fill(warp.rows + constant.place, constant.bytes, [&](std::uint32_t) { return value; });
    }
  }
}

void Cta::fill_specials(const Warp& warp, bool of_cta) const {
  for (const SpecialRow& row : program().specials) {
    if (is_of_cta(row.special) != of_cta) continue;
    const auto value = [&](std::uint32_t lane) {
      return value_of(row.special, plan, static_cast<std::uint64_t>(index_),
                      warp.number * warp_lanes + lane);
    };
    const std::uint64_t first = of_cta ? value(0) : 0;
    fill(warp.rows + row.place, row.bytes,
         [&](std::uint32_t lane) { return of_cta ? first : value(lane); });
  }
}

void Cta::begin(std::int64_t index) {
  index_ = index;
  counts = {};
  chain = nullptr;
  if (plan.is_sampled(index)) {
    if (own_chain_ == nullptr) {
      own_chain_ = std::make_unique<Chain>(plan.program, plan.warps);
    } else {
      own_chain_->clear();
    }
    chain = own_chain_.get();
  }
  const bool is_recorded = plan.recorder != nullptr && plan.recorder->cta() == index;
  recorder = is_recorded ? plan.recorder : nullptr;
  ended_ = 0;
  waited = 0;
  in_loops = {};
  for (; used_ != 0; used_ &= used_ - 1)
    barriers_[static_cast<std::uint32_t>(std::countr_zero(used_))] = {};
  for (auto& copies : copies_) copies.clear();
  mbarriers.clear();
  for (auto& calls : calls_) calls.clear();
  unwritten_.clear();
  doubts_.clear();
  const Program& kernel = plan.program;
  if (plan.options.checks()) {
    order.begin(static_cast<std::uint32_t>(index) + 1, plan.threads);
    shared_words.log.clear();
    global_.clear();
    shadow.begin((plan.shared_bytes + kernel.smallest_shared - 1) / kernel.smallest_shared);
    if (order.epoch() != epoch_) forget();
  }
  std::fill(shared.begin(), shared.end(), std::byte{0});
  std::fill(local_.begin(), local_.end(), std::byte{0});
  for (Warp& warp : warps_) {
    fill_specials(warp, true);
    for (const Cleared& cleared : kernel.cleared) {
      std::memset(warp.rows + cleared.place, 0, cleared.bytes);
    }
    warp.begin(lanes_of(warp));
  }
}

void Cta::run_round() {
  moved_ = had_share_ = false;
  for (Warp& warp : warps_) {
    if (warp.wait == Wait::ended || warp.wait == Wait::barrier) continue;
    if (chain == nullptr) {
      warp.run();
    } else {
      warp.run(*chain);
    }
    if (warp.wait != Wait::turn) moved_ = true;
    if (warp.wait == Wait::share) had_share_ = true;
    if (warp.wait != Wait::ended) continue;
    ended_ |= 1U << warp.number;
    in_loops = {};
    release_complete();
    if (ended()) tell_unwritten();
  }
}

void Cta::arrive(Warp& warp, const Instruction& instruction, const BarrierCall& call) {
  if (recorder != nullptr) recorder->barrier(warp, instruction);
  constexpr std::uint32_t named = 16;
  if (call.barrier >= named && call.barrier != BarrierCall::of_cluster) {
    worker.find(Rule::divergent_barrier, warp, instruction, 0,
                fmt::format("barrier {}: there are 0 to 15", call.barrier));
    throw Stopped{};
  }
  if (call.threads % warp_lanes != 0 && !worker.has_met(Rule::barrier_count, warp, instruction)) {
    worker.find(Rule::barrier_count, warp, instruction, 0,
                fmt::format("a barrier of {} threads: no multiple of 32", call.threads));
  }
  const std::uint32_t number = std::min(call.barrier, named);
  Barrier& barrier = barriers_[number];
  const std::uint32_t bit = 1U << warp.number;
  if (barrier.warps == 0) {
    barrier = {};
    barrier.threads = call.threads;
    barrier.statement = instruction.statement;
  } else if (barrier.threads != call.threads) {
    worker.find(Rule::divergent_barrier, warp, instruction, 0,
                fmt::format("comes to barrier {} for {} threads, and others for {}", call.barrier,
                            call.threads, barrier.threads));
    throw Stopped{};
  } else if (barrier.statement != instruction.statement && call.threads == 0 && number == 0) {
    check_place(warp, instruction, barrier);
  }
  used_ |= 1U << number;
  barrier.warps |= bit;
  barrier.arrived += warp_lanes;
  barrier.reduction = call.reduction;
  barrier.lanes += std::popcount(warp.active);
  barrier.count += std::popcount(call.predicate & warp.active);
  barrier.result[warp.number] = call.result;
  if (call.threads != 0 && plan.options.checks()) {
    order.arrive(barrier.gathering, warp.number, lanes_of(warp));
  }
  if (call.waits) {
    barrier.waiting |= bit;
    warp.stop(Wait::barrier);
  }
  release_complete();
  if (call.waits && warp.wait == Wait::none) warp.wait = Wait::order;
}

void Cta::check_place(const Warp& warp, const Instruction& instruction, const Barrier& barrier) {
  const auto is_aligned = [&](std::uint32_t statement) {
    const std::string_view opcode = program().sources[statement].opcode;
    return opcode.starts_with("bar.") || opcode.find(".aligned") != opcode.npos;
  };
  if (!is_aligned(instruction.statement) || !is_aligned(barrier.statement)) return;
  if (worker.has_met(Rule::parted_barrier, warp, instruction)) return;
  const std::string other = program().place(barrier.statement);
  const bool is_one_line = other == program().place(instruction.statement);
  worker.find(
      Rule::parted_barrier, warp, instruction, 0,
      fmt::format("comes to barrier 0 here, and warp {} at {}{}", std::countr_zero(barrier.warps),
                  is_one_line ? "another place of " : "", other));
}

void Cta::release_complete() {
  for (std::uint32_t left = used_; left != 0; left &= left - 1) {
    const auto number = static_cast<std::uint32_t>(std::countr_zero(left));
    Barrier& barrier = barriers_[number];
    const bool complete = barrier.threads == 0 ? (barrier.warps | ended_) == all_warps()
                                               : barrier.arrived >= barrier.threads;
    if (!complete) continue;
    release(barrier);
    used_ &= ~(1U << number);
  }
}

void Cta::release(Barrier& barrier) {
  in_loops = {};
  if (chain != nullptr) chain->barrier(barrier.warps);
  // Warps that have ended are part of a barrier of all, not of one of some threads.
  if (barrier.threads == 0 || barrier.waiting == all_warps()) {
    order.barrier();
    global_.clear();
    tell_unwritten();
  } else {
    for_lanes(barrier.waiting,
              [&](std::uint32_t w) { order.leave(barrier.gathering, w, lanes_of(warps_[w])); });
  }
  for (Warp& warp : warps_) {
    if ((barrier.waiting >> warp.number & 1) == 0) continue;
    warp.wait = Wait::none;
    const Place result = barrier.result[warp.number];
    warp.active = warp.group;
    if (plan.options.one_lane_at_a_time) warp.part_lanes();
    if (result == no_place) continue;
    const bool truth =
        barrier.reduction == Reduction::any ? barrier.count > 0 : barrier.count == barrier.lanes;
    if (barrier.reduction != Reduction::popc) {
      warp.set_predicate(result, truth ? all_lanes : 0);
    } else {
      for (std::uint32_t l = 0; l < warp_lanes; ++l) {
        if ((warp.active >> l & 1) != 0) {
          warp.row<std::uint32_t>(result)[l] = static_cast<std::uint32_t>(barrier.count);
        }
      }
    }
  }
  barrier.warps = 0;
}

void Cta::find_unwritten(std::uint32_t element, Warp& warp, const Instruction& instruction,
                         Finding finding) {
  auto read = std::make_shared<DoubtfulValue>(DoubtfulValue{std::move(finding)});
  if (program().sources[instruction.statement].opcode.starts_with("ld.")) {
    warp.watch(instruction, instruction.writes, read->finding.lane, read);
  } else {
    read->used = true;
  }
  unwritten_.push_back({element, std::move(read)});
}

void Cta::use_doubtful(DoubtfulValue& value) {
  if (value.settled && (!value.used || value.is_of_statement)) worker.findings.add(value.finding);
  value.used = true;
}

void Cta::find_absent(Warp& warp, const Instruction& instruction, std::uint32_t lane,
                      std::uint32_t from, Lanes mask) {
  auto& value = doubt_at(instruction);
  if (value == nullptr) {
    const Lanes bit = Lanes{1} << from;
    const char* const why = warp.number * warp_lanes + from >= plan.threads
                                ? "which the CTA does not have"
                            : (mask & bit) == 0         ? "which its mask leaves out"
                            : (warp.alive() & bit) == 0 ? "which has ended"
                                                        : "which is not active";
    value = std::make_shared<DoubtfulValue>(DoubtfulValue{
        worker.finding(Rule::absent_lane, warp, instruction, lane,
                       fmt::format("uses the value of lane {}, {}: it is undefined (mask 0x{:08x})",
                                   from, why, mask)),
        false, true, true});
  }
  warp.watch(instruction, 1, lane, value);
}

void Cta::resolve_unwritten(std::uint32_t element) {
  for (const Unwritten& one : unwritten_) {
    if (one.element != element) continue;
    one.read->finding.rule = Rule::shared_race;
    one.read->used = true;
  }
}

void Cta::tell_unwritten() {
  for (const Unwritten& one : unwritten_) {
    if (one.read->used) worker.findings.add(one.read->finding);
    one.read->settled = true;
  }
  unwritten_.clear();
}

GlobalShadow& Cta::global() { return program().is_ordered ? plan.memory.shadow() : global_; }

void Cta::forget() {
  epoch_ = order.epoch();
  shadow.restart();
  global().clear();
}

SharedShadow::Copy Cta::elements(const Warp& warp, std::uint64_t offset, std::size_t bytes,
                                 bool reads) const {
  const std::uint32_t element = program().smallest_shared;
  return {static_cast<std::uint32_t>(offset / element), static_cast<std::uint32_t>(bytes / element),
          warp.number, reads};
}

void Cta::begin_copy(const Warp& warp, std::uint32_t lane, std::uint64_t offset, std::size_t bytes,
                     bool reads) {
  if (!plan.options.checks()) return;
  copies_[reads].resize(std::size_t{plan.warps} * warp_lanes);
  const SharedShadow::Copy copy = elements(warp, offset, bytes, reads);
  shadow.begin_copy(copy);
  copies_[reads][warp.number * warp_lanes + lane].open.push_back(copy);
}

void Cta::commit_copies(const Warp& warp, bool reads) {
  if (copies_[reads].empty()) return;
  for_lanes(warp.active, [&](std::uint32_t lane) {
    Copies& copies = copies_[reads][warp.number * warp_lanes + lane];
    copies.groups.push_back(std::move(copies.open));
    copies.open.clear();
  });
}

void Cta::wait_copies(const Warp& warp, std::size_t groups, bool reads) {
  if (copies_[reads].empty()) return;
  for_lanes(warp.active, [&](std::uint32_t lane) {
    const std::uint32_t thread = warp.number * warp_lanes + lane;
    auto& waiting = copies_[reads][thread].groups;
    const std::size_t ended = waiting.size() > groups ? waiting.size() - groups : 0;
    for (std::size_t g = 0; g < ended; ++g) {
      for (const SharedShadow::Copy& copy : waiting[g]) shadow.end_copy(copy, threads::of(thread));
      touch(warp);
    }
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(ended));
  });
}

void Cta::track_copies(const Warp& warp, std::uint32_t lane, Mbarrier& mbarrier) const {
  if (copies_[0].empty()) return;
  const Copies& copies = copies_[0][warp.number * warp_lanes + lane];
  const auto track = [&](const std::vector<SharedShadow::Copy>& more) {
    mbarrier.copying.insert(mbarrier.copying.end(), more.begin(), more.end());
  };
  for (const auto& group : copies.groups) track(group);
  track(copies.open);
}

void Cta::end_copies(Mbarrier& mbarrier) {
  for (const SharedShadow::Copy& copy : mbarrier.to_learn) {
    shadow.end_copy(copy, threads::of_warp(copy.warp));
    touch(warps_[copy.warp]);
    Time& known = mbarrier.ended.joined[copy.warp];
    known = std::max(known, order.close(copy.warp));
  }
  mbarrier.to_learn.clear();
}

void Cta::find_deadlock() {
  Warp* first = nullptr;
  std::map<std::pair<bool, std::string>, std::uint32_t> waiting;  // at a barrier or not: warps
  for (Warp& warp : warps_) {
    if (warp.wait == Wait::ended) continue;
    if (first == nullptr) first = &warp;
    waiting[{warp.wait == Wait::barrier, program().place(warp.waits_at().statement)}] |=
        1U << warp.number;
  }
  std::string text = "no warp can go on";
  for (const auto& [what, warps] : waiting) {
    const bool is_one = std::has_single_bit(warps);
    text += fmt::format("; warp{} {}{} at {}", is_one ? "" : "s", numbers_text(warps),
                        what.first ? is_one ? " waits for others" : " wait for others"
                        : is_one   ? " polls"
                                   : " poll",
                        what.second);
  }
  tell_unwritten();
  worker.find(Rule::deadlock, *first, first->waits_at(),
              static_cast<std::uint32_t>(std::countr_zero(first->group)), text);
  throw Stopped{};
}

void Cta::find_endless_loop() {
  const auto turning = std::find_if(warps_.begin(), warps_.end(), [](const Warp& warp) {
    return warp.wait == Wait::share && warp.loop != nullptr;
  });
  if (turning == warps_.end()) return;
  tell_unwritten();
  worker.find(Rule::deadlock, *turning, *turning->loop,
              static_cast<std::uint32_t>(std::countr_zero(turning->group)),
              fmt::format("a loop without an end: it has turned for {} s, and no warp of its CTA "
                          "came to another loop, a barrier or its end; if it must, --loop-seconds "
                          "gives it more (0: no limit)",
                          plan.options.loop_seconds));
  throw Stopped{};
}

}  // namespace agpusim::ptx
