#include "agpusim/ptx/chain.hpp"

#include <algorithm>
#include <bit>

#include "agpusim/model/agpu/instruction_prices.hpp"
#include "agpusim/ptx/control.hpp"

namespace agpusim::ptx {
namespace {

using namespace issue_slots;

constexpr std::int64_t turns_together = 4;       // of a loop of one block, at most
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
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = std::max(at[i], other.at[i]);
  rounds = std::max(rounds, other.rounds);
}

Chain::Value* Chain::value(State& state, Place place) const {
  const std::size_t at = place / sizeof(Lanes);
  return at < state.values.size() ? &state.values[at] : nullptr;
}

void Chain::end_block(State& state) {
  for (std::size_t i = 0; i < state.begin.at.size(); ++i) {
    state.begin.at[i] = std::max(state.begin.at[i] + state.slots, state.latest.at[i]);
  }
  state.begin.rounds = std::max(state.begin.rounds, state.latest.rounds);
  state.slots = 0;
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
  issue_ = state.begin;
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
  Value result = issue_;
  if (access_ != Access::none) {
    Value& written = state.written[access_ == Access::shared ? 1 : 0];
    if (touched_ != Touched::write) issue_.take(written);
    if (touched_ != Touched::read) written.take(issue_);
    if (touched_ == Touched::atomic) {  // reads of both spaces stay behind it
      for (Value& each : state.written) each.take(issue_);
    }
    result = issue_;
    for (std::size_t i = 0; i < result.at.size(); ++i) result.at[i] += latency_[i];
    if (access_ == Access::global && touched_ != Touched::write) {
      ++result.rounds;
      state.words += words_;
    }
    state.slots += slots_;
  } else if (is_jump(instruction)) {
    if (instruction.guard != no_place) state.slots += guard_slots;
  } else if (source.bill == Bill::arithmetic) {
    const InstructionPrice& price = price_of(source.op, source.wide);
    const bool together = source.is_collective;
    const std::int64_t latency = (together ? collective_latency : price.latency) * lone_units;
    for (std::int64_t& at : result.at) at += latency;
    const std::int64_t one = source.op == Op::add ? add_slots : slots;
    state.slots += static_cast<std::int64_t>(static_cast<double>(one) * source.machine);
  }
  state.latest.take(issue_);
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
    for (std::size_t i = 0; i < latest.size(); ++i) {
      latest[i] = std::max(latest[i], state.begin.at[i]);
    }
  });
  const std::int64_t slots_of_it = sync_slots(std::popcount(warps));
  for (std::int64_t& clock : latest) clock += slots_of_it;
  each([&](State& state) { state.begin.at = latest; });
  ++executed_.syncs;
}

Execution Chain::executed() const {
  Execution result = executed_;
  for (State state : warps_) {
    end_block(state);
    for (std::size_t i = 0; i < result.lone.size(); ++i) {
      result.lone[i] = std::max(result.lone[i], state.begin.at[i]);
    }
  }
  return result;
}

std::int64_t Chain::rounds() const {
  std::int64_t most = 0;
  for (const State& state : warps_)
    most = std::max({most, state.begin.rounds, state.latest.rounds});
  return most;
}

}  // namespace agpusim::ptx
