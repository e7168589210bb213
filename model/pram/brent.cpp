#include "agpusim/model/pram/brent.hpp"

#include <array>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/detail/brent_scheduler.hpp"
#include "agpusim/model/pram/detail/replay_step.hpp"

namespace agpusim {
namespace {

using Records = std::vector<PramAccessRecord>;
using Memory = std::unordered_map<std::int64_t, std::int64_t>;

/// Runs one group of writes by the rule of the machine.
void apply(const PramSpec& spec, std::span<const PramAccessRecord> writes, Memory& memory) {
  const Records sorted = detail::by_cell({writes.begin(), writes.end()});
  detail::for_each_cell(sorted, [&](std::span<const PramAccessRecord> writers) {
    std::int64_t& cell = memory[writers[0].cell];  // 0 while nobody wrote it
    cell = detail::written(spec, writers, cell);
  });
}

}  // namespace

std::int64_t BrentSchedule::time() const {
  std::int64_t sum = 0;
  for (const BrentStep& step : steps) sum += step.steps;
  return sum;
}

std::int64_t BrentSchedule::bound() const {
  std::int64_t sum = 0;
  for (const BrentStep& step : steps) sum += step.groups;
  return sum;
}

BrentSchedule schedule_on(const PramTrace& trace, std::int64_t processors, SumSplit split) {
  if (processors < 1) {
    throw UsageError(fmt::format("{} processors: a schedule needs at least one", processors));
  }
  const std::vector<Records> effective = detail::effective_writes(trace);
  detail::BrentScheduler scheduler(trace, processors, split);
  Memory recorded = scheduler.machine().memory();
  Memory naive = recorded;
  PramSpec wide = trace.spec;
  wide.word_bits = 64;  // a naive partial sum that does not fit is wrong, not an error

  BrentSchedule result;
  result.processors = processors;
  for (std::size_t t = 0; t < trace.steps.size(); ++t) {
    const PramStepTrace& step = trace.steps[t];
    result.steps.push_back(scheduler.run(step, effective[t]));
    apply(trace.spec, effective[t], recorded);
    const Records& writes = trace.spec.access == PramAccess::priority ? step.writes : effective[t];
    for (std::int64_t g = 0; g < result.steps.back().groups; ++g) {
      for (const PramAccessRecord& read :
           detail::of_processors(step.reads, g * processors, (g + 1) * processors)) {
        const auto found = naive.find(read.cell);
        result.naive_wrong_reads += found == naive.end() || found->second != read.value ? 1 : 0;
      }
      apply(wide, detail::of_processors(writes, g * processors, (g + 1) * processors), naive);
    }
  }

  result.auxiliary_cells = scheduler.auxiliary_cells();
  result.memory.resize(trace.initial.size());
  result.written.resize(trace.initial.size());
  const Memory& memory = scheduler.machine().memory();
  for (std::size_t i = 0; i < trace.initial.size(); ++i) {
    const auto cell = static_cast<std::int64_t>(i);
    const auto here = memory.find(cell);
    const auto there = recorded.find(cell);
    if ((here == memory.end()) != (there == recorded.end()) ||
        (here != memory.end() && here->second != there->second)) {
      throw Error(
          ExitCode::internal,
          fmt::format("Brent schedule: cell {} differs at the end from the recorded run", cell));
    }
    if (here == memory.end()) continue;
    result.memory[i] = here->second;
    result.written[i] = true;
    result.naive_wrong_cells += naive[cell] != here->second ? 1 : 0;
  }
  return result;
}

const char* to_string(BrentWrites writes) {
  constexpr std::array names = {"whole",       "direct",
                                "descending",  "winner",
                                "accumulate",  "clear, accumulate",
                                "clear, fold", "clear, elect, fold"};
  return names.at(static_cast<std::size_t>(writes));
}

}  // namespace agpusim
