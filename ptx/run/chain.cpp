#include "agpusim/ptx/run/chain.hpp"

#include <algorithm>
#include <bit>

#include "agpusim/model/agpu/instruction_prices.hpp"

namespace agpusim::ptx {
namespace {

using namespace issue_slots;

// ptxas leaves a loop that writes as nvcc has unrolled it: to so many words that a lane reads.
constexpr std::int64_t words_beside_writes = 4;
// It puts turns of a loop together that have so many instructions of PTX: between 37 and 49, by one
// lane's minimum and maximum of integers and of floats (H200).
constexpr std::uint32_t most_of_turn = 40;

// Words that a lane reads at once, for which it has registers.
constexpr std::int64_t words_of_block = 64;

constexpr std::uint64_t sectors_of_line = PrivateCache::line_bytes / PrivateCache::sector_bytes;

Moments same(std::int64_t cycles) {
  Moments result;
  result.fill(cycles * lone_units);
  return result;
}

}  // namespace

Chain::Chain(const Program& program, std::uint32_t warps)
    : program_(program), warps_(warps), values_(std::size_t{warps} * program.written_registers) {}

void Chain::clear() {
  std::fill(warps_.begin(), warps_.end(), State{});
  std::fill(values_.begin(), values_.end(), Value{});
  cache_.clear();
  executed_ = {};
  passes_ = 0;
}

void Chain::Value::take(const Value& other) {
  agpusim::take(at, other.at);
  rounds = std::max(rounds, other.rounds);
}

void Chain::end_block(State& state) {
  state.schedule.restart(state.schedule.end());
  state.rounds = std::max(state.rounds, state.latest_rounds);
  state.block_words = 0;
}

void Chain::enter(const Instruction& instruction) {
  State& state = *state_;
  if (program_.blocks[instruction.target].joins) {
    state.turns = turns_together;
    return;
  }
  ++state.turns;
  const std::int64_t most = state.writes ? words_beside_writes : words_in_flight;
  const bool again = state.block == instruction.target && state.turns < turns_together &&
                     program_.blocks[instruction.target].instructions <= most_of_turn &&
                     state.words / state.turns * (state.turns + 1) <= most;
  if (again) return;
  end_block(state);
  state.block = instruction.target;
  state.turns = 0;
  state.words = 0;
  state.writes = false;
}

void Chain::before(const Warp& warp, const Instruction& instruction) {
  access_ = Access::none;
  step_ = &program_.issues[static_cast<std::size_t>(&instruction - program_.code.data())];
  state_ = &warps_[warp.number];
  if (step_->begins_block) return enter(instruction);
  registers_ = values_.data() + std::size_t{warp.number} * program_.written_registers;
  issue_ = {state_->schedule.begin(), state_->rounds};
  for (std::size_t r = 0; r < step_->read_count; ++r) issue_.take(registers_[step_->reads[r]]);
}

void Chain::after() {
  if (step_->begins_block) return;
  State& state = *state_;
  const bool is_access = access_ != Access::none;
  if (is_access && touched_ != Touched::write) issue_.take(written());
  issue_.at = state.schedule.issue(issue_.at, is_access ? slots_ : step_->slots);
  state.latest_rounds = std::max(state.latest_rounds, issue_.rounds);
  Value result = issue_;
  if (is_access) {
    for (std::size_t i = 0; i < result.at.size(); ++i) result.at[i] += latency_[i];
    if (touched_ != Touched::read) written().take(issue_);
    state.writes = state.writes || touched_ != Touched::read;
    if (touched_ == Touched::atomic) {  // reads of both spaces stay behind it
      for (Value& each : state.written) each.take(issue_);
    }
    if (access_ == Access::global && touched_ != Touched::write) {
      ++result.rounds;
      state.words += words_;
      state.block_words += words_;
    }
  } else {
    for (std::int64_t& moment : result.at) moment += step_->latency * lone_units;
  }
  for (std::size_t w = 0; w < step_->write_count; ++w) registers_[step_->writes[w]] = result;
  if (step_->ends_block || state.block_words > words_of_block) end_block(state);
}

void Chain::shared(Touched touched, std::int64_t wavefronts, std::uint32_t bytes) {
  access_ = Access::shared;
  touched_ = touched;
  latency_ = same(shared_latency(bytes) + std::max<std::int64_t>(wavefronts - 1, 0));
  slots_ = std::max(shared_slots, wavefronts * lone_units);
}

void Chain::global(Touched touched, std::span<const std::uint64_t> addresses, Lanes lanes,
                   std::uint32_t bytes, std::int64_t passes) {
  access_ = Access::global;
  touched_ = touched;
  latency_ = {};
  words_ = (bytes + 3) / 4;
  slots_ = std::max(global_slots, passes * lone_units);
  if (touched == Touched::write) return;
  passes_ += passes;
  std::int64_t misses = 0;
  std::int64_t lines = 0;
  std::uint64_t last_line = ~std::uint64_t{0};  // with a miss
  std::uint64_t last_sector = ~std::uint64_t{0};
  for_lanes(lanes, [&](std::uint32_t l) {
    const std::uint64_t last = (addresses[l] + bytes - 1) / PrivateCache::sector_bytes;
    for (std::uint64_t s = addresses[l] / PrivateCache::sector_bytes; s <= last; ++s) {
      if (s == last_sector) continue;  // as the lane before
      last_sector = s;
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

void Chain::constant(std::int64_t turns) {
  // 11 cycles of a lone warp, 2 of a multiprocessor that is full (H200, docs/reference/ptx.md).
  constexpr std::int64_t cycles = 11;
  access_ = Access::shared;
  touched_ = Touched::read;
  latency_ = same((turns + 1) * cycles);
  slots_ = 2 * turns * lone_units;
}

void Chain::local(Touched touched, std::int64_t lines) {
  access_ = Access::shared;
  touched_ = touched;
  latency_ = same(hit_latency + lines - 1);
  slots_ = std::max(global_slots, lines * lone_units);
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
