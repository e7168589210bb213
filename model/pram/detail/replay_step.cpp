#include "agpusim/model/pram/detail/replay_step.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/detail/write_rules.hpp"

namespace agpusim::detail {
namespace {

[[noreturn]] void forbid(const PramSpec& spec, std::span<const PramAccessRecord> writers) {
  const std::string who = fmt::format("{} processors, {} the first of them, write cell {}",
                                      writers.size(), writers[0].processor, writers[0].cell);
  if (spec.access == PramAccess::sum) {
    throw RuleViolation(
        fmt::format("word overflow: {}, and the sum does not fit a signed word of w = {} bits; use "
                    "a larger w (PramSpec::word_bits, --w)",
                    who, spec.word_bits));
  }
  throw RuleViolation(fmt::format("{} in one step, which a {} forbids; use one that allows it", who,
                                  spec.to_string()));
}

template <class Rule>
std::int64_t combine(const PramSpec& spec, std::span<const PramAccessRecord> writers,
                     std::int64_t old) {
  const Rule rule(spec, 0, writers[0].cell);
  std::uint64_t extra = 0;
  std::int64_t cell = old;
  bool legal = true;
  bool fresh = !writers[0].accumulate;
  for (const PramAccessRecord& write : writers) {
    legal &= rule.put(fresh, cell, extra, write.value, rule.ticket(0, write.processor));
    fresh = false;
  }
  if (!legal || !rule.holds(cell, extra)) forbid(spec, writers);
  return cell;
}

}  // namespace

std::vector<PramAccessRecord> by_cell(std::vector<PramAccessRecord> accesses) {
  std::stable_sort(
      accesses.begin(), accesses.end(),
      [](const PramAccessRecord& a, const PramAccessRecord& b) { return a.cell < b.cell; });
  return accesses;
}

std::vector<std::int64_t> active_processors(const PramStepTrace& step) {
  std::vector<std::int64_t> active = step.computing;
  for (const PramAccessRecord& read : step.reads) active.push_back(read.processor);
  for (const PramAccessRecord& write : step.writes) active.push_back(write.processor);
  std::sort(active.begin(), active.end());
  active.erase(std::unique(active.begin(), active.end()), active.end());
  return active;
}

std::span<const PramAccessRecord> of_processors(std::span<const PramAccessRecord> accesses,
                                                std::int64_t first, std::int64_t last) {
  const auto below = [](const PramAccessRecord& access, std::int64_t processor) {
    return access.processor < processor;
  };
  const auto begin = std::lower_bound(accesses.begin(), accesses.end(), first, below);
  return {begin, std::lower_bound(begin, accesses.end(), last, below)};
}

std::int64_t written(const PramSpec& spec, std::span<const PramAccessRecord> writers,
                     std::int64_t old) {
  // An `arbitrary` machine has the winner alone here: effective_writes.
  const PramAccess access =
      spec.access == PramAccess::arbitrary ? PramAccess::priority : spec.access;
  return with_write_rule(access, [&]<class Rule>() { return combine<Rule>(spec, writers, old); });
}

std::vector<std::vector<PramAccessRecord>> effective_writes(const PramTrace& trace) {
  const PramAccess access = trace.spec.access;
  std::vector<std::vector<PramAccessRecord>> result;
  for (const PramStepTrace& step : trace.steps) {
    result.push_back(step.writes);
    std::vector<PramAccessRecord>& writes = result.back();
    if (trace.spec.access == PramAccess::sum && trace.spec.sum == SumReading::count) {
      for (PramAccessRecord& write : writes) write.value = 1;
    }
    if (access != PramAccess::arbitrary && access != PramAccess::priority) continue;
    const std::vector<PramAccessRecord> sorted = by_cell(std::move(writes));
    writes.clear();
    for_each_cell(sorted, [&](std::span<const PramAccessRecord> writers) {
      const ArbitraryWrite draw(trace.spec, static_cast<std::int64_t>(result.size()),
                                writers[0].cell);
      const bool first_wins = access == PramAccess::priority;
      writes.push_back(first_wins
                           ? writers[0]
                           : *std::min_element(
                                 writers.begin(), writers.end(), [&](const auto& a, const auto& b) {
                                   return draw.ticket(0, a.processor) < draw.ticket(0, b.processor);
                                 }));
    });
    std::sort(writes.begin(), writes.end(),
              [](const auto& a, const auto& b) { return a.processor < b.processor; });
  }
  return result;
}

}  // namespace agpusim::detail
