#include "agpusim/model/agpu/lone_task.hpp"

#include <bit>

#include "agpusim/model/agpu/lane_context.hpp"

namespace agpusim {
namespace {

using namespace issue_slots;

std::int64_t slots_of(const LoneTask::GlobalUse& use) {
  return std::max(global_slots, use.blocks * lone_units / std::max(use.warps, 1));
}

}  // namespace

LoneTask::LoneTask(const AgpuSpec& spec) : warps_(spec.warps()) {}

void LoneTask::begin_task() {
  executed_ = {};
  live_values_ = 0;
  cache_.clear();
  reads_ = 0;
  operands_ = control_ = {};
  written_ = {};
  begin_block({});
}

void LoneTask::begin_block(const Moments& moment) {
  block_.restart(moment);
  first_read_ = reads_ + 1;
  words_ = words_before_ = 0;
  is_batch_ = false;
  places_ = {};
}

void LoneTask::end_block(const Arrival& decision) {
  Moments end = block_.end();
  take(end, decision.at);
  begin_block(end);
}

Execution LoneTask::executed() const {
  Execution result = executed_;
  const Moments end = block_.end();
  for (std::size_t i = 0; i < end.size(); ++i) result.lone[i] += end[i];
  return result;
}

void LoneTask::repeat(const Execution& part, std::int64_t times) { executed_ += part * times; }

Moments LoneTask::start(std::int64_t cost) {
  Moments ready = block_.begin();
  take(ready, control_);
  take(ready, operands_);
  operands_ = {};
  return block_.issue(ready, cost);
}

Moments LoneTask::issue(Op op, bool wide, std::int32_t warps, std::int32_t live) {
  const InstructionPrice& price = price_of(op, wide);
  executed_.operations[static_cast<std::size_t>(op) + (wide ? op_kinds : 0)] += warps;
  live_values_ = std::max<std::int64_t>(live_values_, live);
  const std::int64_t one = op == Op::add ? add_slots : slots;
  Moments arrives = start(static_cast<std::int64_t>(static_cast<double>(one) * price.instructions));
  for (std::int64_t& at : arrives) at += price.latency * lone_units;
  return arrives;
}

Moments LoneTask::guard(std::int32_t warps, const Arrival& condition) {
  executed_.guards += warps;
  block_.spend(guard_slots);
  const Moments outer = control_;
  take(control_, condition.at);
  return outer;
}

void LoneTask::round(std::int32_t warps, const Arrival& condition) {
  executed_.rounds += warps;
  const std::int64_t of_turn = words_ - words_before_;
  if (of_turn > 0 && condition.read < first_read_ && words_ + of_turn <= words_in_flight) {
    words_before_ = words_;
    take(control_, condition.at);
    return;
  }
  end_block(condition);
  block_.spend(round_slots);
}

void LoneTask::end_loop(const Moments& outer) {
  end_block({control_, 0});
  control_ = outer;
}

void LoneTask::sync() {
  ++executed_.syncs;
  end_block();
  block_.spend(sync_slots(warps_) + slots * stage_instructions);
}

Moments LoneTask::shared(Touch touch, std::int32_t warps, std::int64_t wavefronts,
                         std::size_t bytes) {
  const std::int64_t of_warp = wavefronts * lone_units / std::max(warps, 1);
  const std::int64_t latency =
      shared_latency(bytes) * lone_units + std::max<std::int64_t>(of_warp - lone_units, 0);
  Moments& written = written_[static_cast<std::size_t>(Space::shared)];
  if (touch != Touch::write) take(operands_, written);
  Moments at = start(std::max(shared_slots, of_warp));
  if (touch != Touch::read) take(written, at);
  if (touch != Touch::read && touch != Touch::write) {  // reads of both spaces stay behind it
    take(written_[static_cast<std::size_t>(Space::global)], at);
  }
  for (std::int64_t& moment : at) moment += latency;
  return at;
}

void LoneTask::count_words(const GlobalUse& use, std::int64_t waits, const SourceLine& where) {
  const auto words = static_cast<std::int64_t>((use.bytes + 3) / 4);
  const auto is_here = [&](const Place& place) {
    return place.file == where.file_name() && place.line == where.line() &&
           place.array == use.place;
  };
  auto place = std::find_if(places_.begin(), places_.end(), is_here);
  if (place != places_.end()) {
    const bool is_guarded = place->guards != executed_.guards;  // in each turn
    const bool is_next = is_batch_ && place->waits != waits;
    is_batch_ |= place->waits == waits;
    if (words_ + words > words_in_flight || is_next ||
        (is_guarded && place->turns == turns_together)) {
      end_block();
      place = places_.end();
    }
  }
  if (place == places_.end()) {
    place = places_.begin() + static_cast<std::ptrdiff_t>(next_place_);
    next_place_ = (next_place_ + 1) % places_.size();
    *place = {where.file_name(), where.line(), use.place};
  }
  ++place->turns;
  place->guards = executed_.guards;
  place->waits = waits;
  words_ += words;
  ++reads_;
}

Arrival LoneTask::global_read(const GlobalUse& use, const ActiveIndices& active,
                              std::int64_t origin, std::int64_t waits, const SourceLine& where) {
  std::int64_t lines = 0;
  const std::int64_t misses = misses_of(use.place, active, origin, use.bytes, lines);
  executed_.misses += misses;
  executed_.missed_reads += misses > 0 ? use.warps : 0;
  executed_.missed_lines += lines;
  executed_.read_sectors[use.place] += use.sectors;
  const bool scattered = use.sectors == use.blocks && use.sectors >= 2 * use.warps;
  if (scattered) executed_.scattered_reads += use.sectors;

  count_words(use, waits, where);
  take(operands_, written_[static_cast<std::size_t>(Space::global)]);
  Arrival result{start(slots_of(use)), reads_};
  for (std::size_t i = 0; i < result.at.size(); ++i) {
    result.at[i] += (misses > 0 ? lone_latencies[i] : hit_latency) * lone_units;
  }
  return result;
}

void LoneTask::global_write(const GlobalUse& use, const Arrival& value) {
  executed_.written_sectors[use.place] += use.sectors;
  const bool scattered = use.sectors == use.blocks && use.sectors >= 2 * use.warps;
  if (scattered) executed_.scattered_writes += use.sectors;
  wait(value);
  take(written_[static_cast<std::size_t>(Space::global)], start(slots_of(use)));
}

std::int64_t LoneTask::misses_of(std::size_t place, const ActiveIndices& active,
                                 std::int64_t origin, std::size_t bytes, std::int64_t& lines) {
  constexpr std::int64_t sector_bytes = PrivateCache::sector_bytes;
  constexpr std::int64_t sectors = PrivateCache::line_bytes / sector_bytes;
  std::int64_t misses = 0;
  std::int64_t last_line = -1;  // the last one that missed
  const auto touch = [&](std::int64_t line_number, std::uint32_t touched) {
    const std::uint64_t number = static_cast<std::uint64_t>(line_number) * traffic_places + place;
    const std::uint32_t missed = cache_.read(number, touched);
    if (missed == 0) return;
    lines += line_number == last_line ? 0 : 1;
    last_line = line_number;
    misses += std::popcount(missed);
  };
  const auto size = static_cast<std::int64_t>(bytes);
  if (active.count > 0 && active.shape != Shape::general) {
    const std::int64_t last = ((origin + active.high + 1) * size - 1) / sector_bytes;
    for (std::int64_t sector = (origin + active.low) * size / sector_bytes; sector <= last;) {
      const std::int64_t in_line = sector % sectors;
      const std::int64_t count = std::min(sectors - in_line, last - sector + 1);
      touch(sector / sectors, ((1U << count) - 1) << in_line);
      sector += count;
    }
    return misses;
  }
  std::int64_t last_sector = -1;
  for (std::int32_t i = 0; i < active.count; ++i) {
    const std::int64_t sector = (origin + active.index[i]) * size / sector_bytes;
    if (sector == last_sector) continue;
    last_sector = sector;
    touch(sector / sectors, 1U << sector % sectors);
  }
  return misses;
}

}  // namespace agpusim
