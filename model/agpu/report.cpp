#include "agpusim/model/agpu/report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

void require(bool holds, const char* invariant) {
  if (!holds) throw Error(ExitCode::internal, fmt::format("invariant broken: {}", invariant));
}

}  // namespace

std::int64_t RunReport::time() const {
  std::int64_t sum = 0;
  for (const PhaseReport& phase : phases) sum += phase.time;
  return sum;
}

Counts RunReport::total() const {
  Counts sum;
  for (const PhaseReport& phase : phases) sum += phase.counts;
  return sum;
}

std::int64_t RunReport::io_max() const {
  std::int64_t sum = 0;
  for (const PhaseReport& phase : phases) sum += phase.io_max;
  return sum;
}

std::int64_t RunReport::contention() const {
  std::int64_t worst = 0;
  for (const PhaseReport& phase : phases) worst = std::max(worst, phase.contention);
  return worst;
}

std::int64_t RunReport::shared_bits() const {
  std::int64_t words = 0;
  for (const PhaseReport& phase : phases) words = std::max(words, phase.shared_words);
  return words * spec.word_bits;
}

void check_invariants(const RunReport& report) {
  const std::int64_t k = report.spec.multiprocessors();
  for (const PhaseReport& phase : report.phases) {
    const std::int64_t io = phase.counts.io();
    require(phase.time >= (io + k - 1) / k, "k*T >= Q in every phase");
    require(phase.io_max <= phase.time, "Q of a multiprocessor <= its time");
    require(phase.io_max <= io && phase.io_max >= (io + k - 1) / k, "Q/k <= Q_max <= Q");
    require(phase.max_task_time <= phase.time, "the longest task <= T");
    require(phase.time <= phase.counts.time(), "T <= the sum over tasks");
    require(phase.shared_words <= report.spec.shared_words, "shared words <= M");
    require(phase.counts.active_lanes <= phase.counts.lane_slots, "active lanes <= lane slots");
    if (report.spec.assignment == Assignment::list && phase.tasks > 0) {
      const std::int64_t sum = phase.counts.time();
      require(phase.time * k <= sum + (k - 1) * phase.max_task_time, "Graham's bound under list");
    }
  }
  require(report.time_total_max <= report.time(), "T_tot <= T");
}

}  // namespace agpusim
