#include "agpusim/papers/common/contest.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/rows/evaluate.hpp"

namespace agpusim::contest {
namespace {

Run run_of(const PlannedRun& planned, const Registry& registry, const DeviceFile& device) {
  const bool has_row = !planned.contestant.is_program();
  return {planned.contestant.label, has_row ? &registry.find(planned.config.algorithm) : nullptr,
          planned.config, &device};
}

/// Rows of the runs of the events, with the counts that are known or affordable.
std::map<std::string, Row> rows_of(const std::vector<Event>& events, const Registry& registry,
                                   const RecordsByRun& records, const ContestOptions& options) {
  std::vector<Run> runs;  // each once
  std::set<std::string> seen;
  for (const auto& [event, planned] : lines_of(events)) {
    Run run = run_of(*planned, registry, options.device);
    if (seen.insert(run.key()).second) runs.push_back(std::move(run));
  }
  Sources sources = known_only();
  sources.records = &records;
  sources.counting.threads = 1;
  sources.counting.simulate_limit = 1 << 26;
  Schedule schedule;
  schedule.done = [](Row& row) { row.counted.reset(); };
  schedule.threads = options.threads;
  if (options.progress) {
    schedule.progress = [&](std::string_view, double done) { options.progress(done); };
  }
  std::map<std::string, Row> rows;
  for (Row& row : evaluate(runs, sources, schedule)) {
    rows.emplace(row.run.key(), std::move(row));
  }
  return rows;
}

std::string text_of(const Event& event) {
  const Panel& panel = event.panel;
  return fmt::format(
      "{}, n = {}", panel.family.empty() ? panel.title : panel.family + ", " + panel.name, event.n);
}

std::string text_of(const Contestant& contestant) {
  if (contestant.team.empty()) return contestant.label;
  return fmt::format("{} {}{}", contestant.team, contestant.label,
                     contestant.variant.empty() ? "" : "/" + contestant.variant);
}

/// Records of the results of an event by the row that says what they must be.
using Results = std::map<std::string, std::pair<const Contestant*, const TimingRecord*>>;

/// Results that one row says to be right are equal.
void check(Results& results, const Event& event, const Contestant& contestant,
           const TimingRecord& record) {
  const auto [known, first] =
      results.try_emplace(event.panel.reference_of(contestant), &contestant, &record);
  const auto& [other_contestant, other] = known->second;
  if (first || record.checksum == other->checksum) return;
  throw Mismatch(
      fmt::format("{}: the results of {} ({}) and {} ({}) differ: checksums {:016x} and {:016x}",
                  text_of(event), text_of(*other_contestant), other->origin, text_of(contestant),
                  record.origin, other->checksum, record.checksum));
}

}  // namespace

std::vector<Line> lines_of(std::span<const Event> events) {
  std::vector<Line> lines;
  for (const Event& event : events) {
    for (const PlannedRun& run : event.runs) lines.push_back({&event, &run});
  }
  return lines;
}

std::vector<std::span<const Event>> by_panel(const std::vector<Event>& events) {
  const auto differ = [](const Event& a, const Event& b) {
    return a.panel.family != b.panel.family || a.panel.name != b.panel.name;
  };
  std::vector<std::span<const Event>> panels;
  for (auto from = events.begin(); from != events.end();) {
    const auto last = std::adjacent_find(from, events.end(), differ);
    const auto to = last == events.end() ? last : last + 1;
    panels.emplace_back(std::to_address(from), static_cast<std::size_t>(to - from));
    from = to;
  }
  return panels;
}

Contest hold(const Plan& plan, const Registry& registry, const ContestOptions& options) {
  Contest contest;
  contest.environment = only_environment(options.records);
  contest.generated = utc_now();
  std::copy_if(plan.begin(), plan.end(), std::back_inserter(contest.panels),
               [&](const Panel& panel) { return has_reference(panel, registry); });
  contest.events = events_of(plan, options.sizes, registry, options.machine);
  const RecordsByRun records = latest_by_run(options.records);
  const std::map<std::string, Row> rows = rows_of(contest.events, registry, records, options);
  for (Event& event : contest.events) {
    Results results;
    for (PlannedRun& run : event.runs) {
      const Row& row = rows.at(run_of(run, registry, options.device).key());
      if (row.record != nullptr) check(results, event, run.contestant, *row.record);
      run.measured = row.measured;
      if (!row.predicted) continue;
      run.predicted_ms = row.predicted->milliseconds;
      run.limit = row.predicted->limit;
    }
  }
  for (const auto& [key, row] : rows) {
    if (!row.measured) ++contest.unmeasured;
    if (row.run.algorithm != nullptr && !row.predicted) ++contest.unpredicted;
  }
  contest.foreign = std::ssize(records) - (std::ssize(rows) - contest.unmeasured);
  return contest;
}

}  // namespace agpusim::contest
