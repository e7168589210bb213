#include "agpusim/validation/contest/contest.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/rows/evaluate.hpp"

namespace agpusim::contest {
namespace {

/// The runs of rows, each once.
std::vector<Run> runs_of_rows(const std::vector<Event>& events, const Registry& registry,
                              const DeviceFile& device) {
  std::vector<Run> runs;
  std::set<std::string> seen;
  for (const Event& event : events) {
    for (const PlannedRun& planned : event.runs) {
      if (planned.contestant.is_program()) continue;
      Run run;
      run.program = planned.contestant.label;
      run.algorithm = &registry.find(planned.config.algorithm);
      run.config = planned.config;
      run.device = &device;
      if (seen.insert(run.key()).second) runs.push_back(std::move(run));
    }
  }
  return runs;
}

/// Rows of the runs whose counts are known or affordable.
std::map<std::string, Row> rows_of(const std::vector<Run>& runs, const ContestOptions& options) {
  Sources sources;
  sources.counting.threads = 1;
  sources.counting.simulate_limit = 1 << 26;
  sources.counting.extrapolate = false;
  Schedule schedule;
  schedule.threads = options.threads;
  if (options.progress) {
    schedule.progress = [&](std::string_view, double done) { options.progress(done); };
  }
  std::map<std::string, Row> rows;
  for (Row& row : evaluate(runs, sources, schedule)) {
    row.counted.reset();
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

/// The results of an event that one row says to be right are equal.
class ResultCheck {
 public:
  explicit ResultCheck(const Event& event) : event_(event) {}

  void add(const Contestant& contestant, const TimingRecord& record) {
    const auto [known, first] =
        seen_.try_emplace(event_.panel.reference_of(contestant), &contestant, &record);
    const auto& [other_contestant, other] = known->second;
    if (first || record.checksum == other->checksum) return;
    throw Mismatch(
        fmt::format("{}: the results of {} ({}) and {} ({}) differ: checksums {:016x} and {:016x}",
                    text_of(event_), text_of(*other_contestant), other->origin, text_of(contestant),
                    record.origin, other->checksum, record.checksum));
  }

 private:
  const Event& event_;
  std::map<std::string, std::pair<const Contestant*, const TimingRecord*>> seen_;  // by row
};

}  // namespace

Contest hold(const Plan& plan, const Registry& registry, const ContestOptions& options) {
  Contest contest;
  contest.environment = only_environment(options.records);
  contest.events = events_of(plan, options.sizes, registry, options.machine);
  const RecordsByRun records = latest_by_run(options.records);
  const std::vector<Run> runs = runs_of_rows(contest.events, registry, options.device);
  const std::map<std::string, Row> rows = rows_of(runs, options);
  std::set<std::string> planned;
  std::set<std::string> found;
  for (Event& event : contest.events) {
    ResultCheck check(event);
    for (PlannedRun& run : event.runs) {
      const std::string key = config_to_json(run.config);
      planned.insert(key);
      if (const auto record = records.find(key); record != records.end()) {
        found.insert(key);
        check.add(run.contestant, *record->second);
        run.measured = measurement_of(*record->second);
      }
      const auto row = rows.find(key);
      if (row == rows.end() || !row->second.predicted) continue;
      run.predicted_ms = row->second.predicted->milliseconds;
      run.limit = row->second.predicted->limit;
    }
  }
  contest.unmeasured = std::ssize(planned) - std::ssize(found);
  contest.unpredicted = std::count_if(
      rows.begin(), rows.end(), [](const auto& row) { return !row.second.predicted.has_value(); });
  contest.foreign = std::ssize(records) - std::ssize(found);
  return contest;
}

}  // namespace agpusim::contest
