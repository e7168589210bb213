#include "agpusim/model/agpu/lone_task.hpp"

#include <bit>

#include "agpusim/model/agpu/lane_context.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {
namespace {

using namespace issue_slots;

std::int64_t latency_units(double cycles) {
  return static_cast<std::int64_t>(cycles * static_cast<double>(lone_units));
}

}  // namespace

LoneTask::LoneTask(const AgpuSpec& spec) : warps_(spec.warps()) {}

void LoneTask::begin_task() {
  executed_ = {};
  clock_ = {};
  live_values_ = 0;
  cache_.clear();
  reads_in_flight_ = 0;
  read_file_ = nullptr;
}

Execution LoneTask::executed() const {
  Execution result = executed_;
  for (std::size_t i = 0; i < clock_.size(); ++i) result.lone[i] += clock_[i];
  return result;
}

void LoneTask::repeat(const Execution& part, std::int64_t times) { executed_ += part * times; }

void LoneTask::advance(std::int64_t units) {
  for (std::int64_t& clock : clock_) clock += units;
}

Moments LoneTask::issue(Op op, bool wide, std::int32_t warps, std::int32_t live) {
  const InstructionPrice& price = price_of(op, wide);
  executed_.operations[static_cast<std::size_t>(op) + (wide ? op_kinds : 0)] += warps;
  live_values_ = std::max<std::int64_t>(live_values_, live);
  Moments arrives;
  const std::int64_t latency = latency_units(price.latency);
  for (std::size_t i = 0; i < clock_.size(); ++i) arrives[i] = clock_[i] + latency;
  const std::int64_t one = op == Op::add ? add_slots : slots;
  advance(static_cast<std::int64_t>(static_cast<double>(one) * price.instructions));
  return arrives;
}

void LoneTask::guard(std::int32_t warps) {
  executed_.guards += warps;
  advance(guard_slots);
}

void LoneTask::round(std::int32_t warps) {
  executed_.rounds += warps;
  reads_in_flight_ = 0;
  advance(round_slots);
}

void LoneTask::sync() {
  ++executed_.syncs;
  reads_in_flight_ = 0;
  advance(sync_slots(warps_));
  advance(slots * stage_instructions);
}

Moments LoneTask::shared(std::int32_t warps, std::int64_t wavefronts, std::size_t bytes) {
  const std::int64_t of_warp = wavefronts * lone_units / std::max(warps, 1);
  const std::int64_t latency =
      shared_latency(bytes) * lone_units + std::max<std::int64_t>(of_warp - lone_units, 0);
  Moments arrives;
  for (std::size_t i = 0; i < clock_.size(); ++i) arrives[i] = clock_[i] + latency;
  advance(std::max(shared_slots, of_warp));
  return arrives;
}

/// Whether a read is under way together with those before it: because the program itself issues
/// several before it uses one (batched_), or because nvcc, which unrolls loops, issues it early.
bool LoneTask::joins_reads_in_flight(const GlobalUse& use, std::int64_t waits,
                                     const SourceLine& where) {
  const bool again =
      read_file_ == where.file_name() && read_line_ == where.line() && read_place_ == use.place;
  const bool waited = waits != waits_;
  waits_ = waits;
  if (!again) {
    batched_ = false;
    read_file_ = where.file_name();
    read_line_ = where.line();
    read_place_ = use.place;
    return false;
  }
  if (reads_in_flight_ == 0) return false;
  if (!waited) {
    batched_ = true;
  } else if (reads_in_flight_ == 1) {
    batched_ = false;
  }
  if (use.after >= first_in_flight_) return false;
  if (batched_) return !waited;
  const auto words = static_cast<std::int64_t>((use.bytes + 3) / 4);
  return (reads_in_flight_ + 1) * words <= words_in_flight;
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

  ++reads_;
  if (!joins_reads_in_flight(use, waits, where)) {
    reads_in_flight_ = 0;
    first_in_flight_ = reads_;
    first_read_ = clock_;
  } else if (batched_) {
    first_read_ = clock_;
    for (std::int64_t& clock : first_read_) clock -= global_slots * reads_in_flight_;
  }
  ++reads_in_flight_;
  Arrival result{{}, reads_};
  for (std::size_t i = 0; i < clock_.size(); ++i) {
    const std::int64_t latency =
        misses > 0 ? lone_latencies[i] * lone_units : hit_latency * lone_units;
    result.at[i] = first_read_[i] + global_slots * reads_in_flight_ + latency;
  }
  advance(std::max(global_slots, use.blocks * lone_units / std::max(use.warps, 1)));
  return result;
}

void LoneTask::global_write(const GlobalUse& use, const Arrival& value) {
  wait(value);
  executed_.written_sectors[use.place] += use.sectors;
  const bool scattered = use.sectors == use.blocks && use.sectors >= 2 * use.warps;
  if (scattered) executed_.scattered_writes += use.sectors;
  reads_in_flight_ = 0;
  advance(std::max(global_slots, use.blocks * lone_units / std::max(use.warps, 1)));
}

std::int64_t LoneTask::misses_of(std::size_t place, const ActiveIndices& active,
                                 std::int64_t origin, std::size_t bytes, std::int64_t& lines) {
  constexpr std::int64_t sector_bytes = PrivateCache::sector_bytes;
  constexpr std::int64_t sectors = PrivateCache::line_bytes / sector_bytes;
  std::int64_t misses = 0;
  std::int64_t last_line = -1;  // that missed
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
