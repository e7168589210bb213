#include "agpusim/ptx/chain.hpp"

#include <algorithm>
#include <bit>

#include "agpusim/model/agpu/instruction_prices.hpp"
#include "agpusim/ptx/control.hpp"

namespace agpusim::ptx {
namespace {

using namespace issue_slots;

constexpr std::int64_t collective_latency = 23;  // cycles, as a read of shared memory
constexpr std::uint64_t sectors_of_line = PrivateCache::line_bytes / PrivateCache::sector_bytes;

Moments same(std::int64_t cycles) {
  Moments result;
  result.fill(cycles * lone_units);
  return result;
}

bool is_branch(const Instruction& instruction) {
  return instruction.execute == &branch || instruction.execute == &branch_back ||
         instruction.execute == &branch_indexed || instruction.execute == &exit_lanes;
}

}  // namespace

Chain::Chain(const Program& program, std::uint32_t warps) : program_(program), warps_(warps) {
  for (State& state : warps_) state.values.resize(program.row_bytes / sizeof(Lanes));
}

Chain::Value* Chain::value(State& state, Place place) const {
  const std::size_t at = place / sizeof(Lanes);
  return at < state.values.size() ? &state.values[at] : nullptr;
}

void Chain::advance(State& state, std::int64_t units) {
  for (std::int64_t& clock : state.clock) clock += units;
}

void Chain::before(Warp& warp, const Instruction& instruction) {
  access_ = Access::none;
  if (instruction.execute == &enter || instruction.execute == &enter_together) return;
  State& state = warps_[warp.number];
  last_read_ = 0;
  const auto wait = [&](Place place) {
    const Value* const operand = value(state, place);
    if (operand == nullptr) return;
    for (std::size_t i = 0; i < state.clock.size(); ++i) {
      state.clock[i] = std::max(state.clock[i], operand->at[i]);
    }
    last_read_ = std::max(last_read_, operand->read);
  };
  if (instruction.guard != no_place) wait(instruction.guard);
  for (std::size_t p = 0; p < instruction.place.size(); ++p) {
    if ((instruction.writes >> p & 1) == 0 && instruction.place[p] != no_place) {
      wait(instruction.place[p]);
    }
  }
  if (last_read_ <= state.waited) return;
  ++state.rounds;
  state.waited = state.reads;
}

void Chain::after(const Warp& warp, const Instruction& instruction) {
  if (instruction.execute == &enter || instruction.execute == &enter_together) return;
  State& state = warps_[warp.number];
  const Source& source = program_.sources[instruction.statement];
  Value result{state.clock, 0};
  if (access_ != Access::none) {
    for (std::size_t i = 0; i < result.at.size(); ++i) result.at[i] += latency_[i];
    if (access_ == Access::read) result.read = ++state.reads;
    advance(state, slots_);
  } else if (is_branch(instruction)) {
    if (instruction.guard != no_place) advance(state, guard_slots);
  } else if (source.bill == Bill::arithmetic) {
    const InstructionPrice& price = price_of(source.op, source.wide);
    const bool together = source.is_collective;
    const std::int64_t latency = (together ? collective_latency : price.latency) * lone_units;
    for (std::int64_t& at : result.at) at += latency;
    const std::int64_t one = source.op == Op::add ? add_slots : slots;
    advance(state, static_cast<std::int64_t>(static_cast<double>(one) * price.instructions));
  }
  for (std::size_t p = 0; p < instruction.place.size(); ++p) {
    if ((instruction.writes >> p & 1) == 0 || instruction.place[p] == no_place) continue;
    if (Value* const written = value(state, instruction.place[p])) *written = result;
  }
}

void Chain::shared(std::int64_t wavefronts, std::uint32_t bytes) {
  access_ = Access::shared;
  latency_ = same(shared_latency(bytes) + std::max<std::int64_t>(wavefronts - 1, 0));
  slots_ = std::max(shared_slots, wavefronts * lone_units);
}

void Chain::global(bool reads, std::span<const std::uint64_t> addresses, Lanes lanes,
                   std::uint32_t bytes, std::int64_t blocks) {
  access_ = reads ? Access::read : Access::write;
  slots_ = std::max(global_slots, blocks * lone_units);
  if (!reads) return;
  std::int64_t misses = 0;
  std::int64_t lines = 0;
  std::uint64_t last_line = ~std::uint64_t{0};
  for_lanes(lanes, [&](std::uint32_t l) {
    const std::uint64_t last = (addresses[l] + bytes - 1) / PrivateCache::sector_bytes;
    for (std::uint64_t s = addresses[l] / PrivateCache::sector_bytes; s <= last; ++s) {
      const std::uint64_t line = s / sectors_of_line;
      const std::uint32_t missed = cache_.read(line, 1U << s % sectors_of_line);
      if (missed == 0) continue;
      ++misses;
      lines += line == last_line ? 0 : 1;
      last_line = line;
    }
  });
  executed_.misses += misses;
  executed_.missed_reads += misses > 0 ? 1 : 0;
  executed_.missed_lines += lines;
  latency_ = same(hit_latency);
  if (misses == 0) return;
  for (std::size_t i = 0; i < latency_.size(); ++i) latency_[i] = lone_latencies[i] * lone_units;
}

void Chain::barrier(std::uint32_t warps) {
  Moments latest{};
  const auto each = [&](auto f) {
    for (std::size_t w = 0; w < warps_.size(); ++w) {
      if ((warps >> w & 1) != 0) f(warps_[w].clock);
    }
  };
  each([&](const Moments& clock) {
    for (std::size_t i = 0; i < latest.size(); ++i) latest[i] = std::max(latest[i], clock[i]);
  });
  const std::int64_t slots_of_it = sync_slots(std::popcount(warps));
  for (std::int64_t& clock : latest) clock += slots_of_it;
  each([&](Moments& clock) { clock = latest; });
  ++executed_.syncs;
}

Execution Chain::executed() const {
  Execution result = executed_;
  for (const State& state : warps_) {
    for (std::size_t i = 0; i < result.lone.size(); ++i) {
      result.lone[i] = std::max(result.lone[i], state.clock[i]);
    }
  }
  return result;
}

std::int64_t Chain::rounds() const {
  std::int64_t most = 0;
  for (const State& state : warps_) most = std::max(most, state.rounds);
  return most;
}

}  // namespace agpusim::ptx
