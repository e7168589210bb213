#include "agpusim/validation/contest/contest.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/predict/residency.hpp"
#include "agpusim/validation/records/config_json.hpp"

namespace agpusim::contest {
namespace {

/// Elements of a run that is simulated where its counts are not known.
constexpr std::int64_t most_simulated = 1 << 20;

using Runs = std::map<std::string, const RunConfig*>;

/// The runs of rows, each in the first event that has it, events with large inputs first.
std::vector<Runs> runs_of_rows(const std::vector<Event>& events) {
  std::vector<std::pair<std::int64_t, Runs>> by_size;
  std::set<std::string> seen;
  for (const Event& event : events) {
    Runs& runs = by_size.emplace_back(event.n, Runs{}).second;
    for (const PlannedRun& run : event.runs) {
      if (run.contestant.is_program()) continue;
      std::string key = config_to_json(run.config);
      if (seen.insert(key).second) runs.emplace(std::move(key), &run.config);
    }
  }
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Runs> result;
  for (auto& [n, runs] : by_size) result.push_back(std::move(runs));
  return result;
}

/// Predictions of the runs whose counts are known or affordable; events are worked on in parallel.
std::map<std::string, Prediction> predict_all(const std::vector<Runs>& events,
                                              const Registry& registry,
                                              const ContestOptions& options) {
  std::map<std::string, Prediction> result;
  std::mutex mutex;  // of the result and the progress
  double done = 0;
  CountOptions counting;
  counting.stored = &bundled_counts();
  counting.threads = 1;
  const auto predict_event = [&](const Runs& runs) {
    for (const auto& [key, config] : runs) {
      const Algorithm& row = registry.find(config->algorithm);
      std::optional<Counted> counts = exact_counts(row, *config, counting.stored);
      if (!counts && config->n <= most_simulated) counts = count(row, *config, counting);
      if (!counts) continue;
      PredictedRun predicted = predict_run(*config, counts->report.phases, options.device);
      if (!predicted.prediction) continue;
      const std::lock_guard lock(mutex);
      result.emplace(key, *std::move(predicted.prediction));
    }
    const std::lock_guard lock(mutex);
    done += 1;
    if (options.progress) options.progress(done / static_cast<double>(events.size()));
  };
  tbb::task_arena arena(options.threads > 0 ? options.threads
                                            : static_cast<int>(tbb::task_arena::automatic));
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, events.size(), 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i < range.end(); ++i) predict_event(events[i]);
        },
        tbb::simple_partitioner());
  });
  return result;
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
  const std::vector<Runs> rows = runs_of_rows(contest.events);
  const auto predictions = predict_all(rows, registry, options);
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
      if (const auto prediction = predictions.find(key); prediction != predictions.end()) {
        run.predicted_ms = prediction->second.milliseconds;
        run.limit = prediction->second.limit;
      }
    }
  }
  contest.unmeasured = std::ssize(planned) - std::ssize(found);
  contest.unpredicted = -std::ssize(predictions);
  for (const Runs& runs : rows) contest.unpredicted += std::ssize(runs);
  contest.foreign = std::ssize(records) - std::ssize(found);
  return contest;
}

}  // namespace agpusim::contest
