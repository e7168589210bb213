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

}  // namespace

Chain::Chain(const Program& program, std::uint32_t warps) : program_(program), warps_(warps) {
  for (State& state : warps_) state.values.resize(program.row_bytes / sizeof(Lanes));
}

void Chain::Value::take(const Value& other) {
  agpusim::take(at, other.at);
  rounds = std::max(rounds, other.rounds);
}

Chain::Value* Chain::value(State& state, Place place) const {
  const std::size_t at = place / sizeof(Lanes);
  return at < state.values.size() ? &state.values[at] : nullptr;
}

void Chain::end_block(State& state) {
  state.schedule.restart(state.schedule.end());
  state.rounds = std::max(state.rounds, state.latest_rounds);
}

void Chain::before(Warp& warp, const Instruction& instruction) {
  access_ = Access::none;
  State& state = warps_[warp.number];
  if (instruction.execute == &enter || instruction.execute == &enter_together) {
    if (program_.blocks[instruction.target].joins) {
      state.turns = turns_together;
      return;
    }
    ++state.turns;
    const bool again = state.block == instruction.target && state.turns < turns_together &&
                       state.words / state.turns * (state.turns + 1) <= words_in_flight;
    if (!again) {
      end_block(state);
      state.block = instruction.target;
      state.turns = 0;
      state.words = 0;
    }
    return;
  }
  issue_ = {state.schedule.begin(), state.rounds};
  const auto wait = [&](Place place) {
    if (const Value* const operand = value(state, place)) issue_.take(*operand);
  };
  if (instruction.guard != no_place) wait(instruction.guard);
  for (std::size_t p = 0; p < instruction.place.size(); ++p) {
    if ((instruction.writes >> p & 1) == 0 && instruction.place[p] != no_place) {
      wait(instruction.place[p]);
    }
  }
}

void Chain::after(const Warp& warp, const Instruction& instruction) {
  if (instruction.execute == &enter || instruction.execute == &enter_together) return;
  State& state = warps_[warp.number];
  const Source& source = program_.sources[instruction.statement];
  std::int64_t busy = 0;
  Moments latency{};
  if (access_ != Access::none) {
    if (touched_ != Touched::write) issue_.take(written_by(state));
    busy = slots_;
    latency = latency_;
  } else if (is_jump(instruction)) {
    if (instruction.guard != no_place) busy = guard_slots;
  } else if (source.bill == Bill::arithmetic) {
    const std::int64_t one = source.op == Op::add ? add_slots : slots;
    busy = static_cast<std::int64_t>(static_cast<double>(one) * source.machine);
    latency =
        same(source.is_collective ? collective_latency : price_of(source.op, source.wide).latency);
  }
  issue_.at = state.schedule.issue(issue_.at, busy);
  state.latest_rounds = std::max(state.latest_rounds, issue_.rounds);
  Value result = issue_;
  for (std::size_t i = 0; i < result.at.size(); ++i) result.at[i] += latency[i];
  if (access_ != Access::none) {
    if (touched_ != Touched::read) written_by(state).take(issue_);
    if (touched_ == Touched::atomic) {  // reads of both spaces stay behind it
      for (Value& each : state.written) each.take(issue_);
    }
    if (access_ == Access::global && touched_ != Touched::write) {
      ++result.rounds;
      state.words += words_;
    }
  }
  for (std::size_t p = 0; p < instruction.place.size(); ++p) {
    if ((instruction.writes >> p & 1) == 0 || instruction.place[p] == no_place) continue;
    if (Value* const written = value(state, instruction.place[p])) *written = result;
  }
}

void Chain::shared(Touched touched, std::int64_t wavefronts, std::uint32_t bytes) {
  access_ = Access::shared;
  touched_ = touched;
  latency_ = same(shared_latency(bytes) + std::max<std::int64_t>(wavefronts - 1, 0));
  slots_ = std::max(shared_slots, wavefronts * lone_units);
}

void Chain::global(Touched touched, std::span<const std::uint64_t> addresses, Lanes lanes,
                   std::uint32_t bytes, std::int64_t blocks) {
  access_ = Access::global;
  touched_ = touched;
  latency_ = {};
  words_ = (bytes + 3) / 4;
  slots_ = std::max(global_slots, blocks * lone_units);
  if (touched == Touched::write) return;
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
      if ((warps >> w & 1) != 0) f(warps_[w]);
    }
  };
  each([&](State& state) {
    end_block(state);
    agpusim::take(latest, state.schedule.begin());
  });
  const std::int64_t slots_of_it = sync_slots(std::popcount(warps));
  for (std::int64_t& clock : latest) clock += slots_of_it;
  each([&](State& state) { state.schedule.restart(latest); });
  ++executed_.syncs;
}

Execution Chain::executed() const {
  Execution result = executed_;
  for (const State& state : warps_) agpusim::take(result.lone, state.schedule.end());
  return result;
}

std::int64_t Chain::rounds() const {
  std::int64_t most = 0;
  for (const State& state : warps_) most = std::max({most, state.rounds, state.latest_rounds});
  return most;
}

}  // namespace agpusim::ptx
