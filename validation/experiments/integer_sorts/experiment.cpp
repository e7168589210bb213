#include "agpusim/validation/experiments/integer_sorts/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/experiments/integer_sorts/cub_model.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/predict/stats.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/measurement.hpp"

namespace agpusim {
namespace {

constexpr const char* our_sorts[] = {"H-P", "1-H-P", "0-compressed", "run-head"};
/// A winner this much slower than the fastest is as good as right.
constexpr double near_loss = 0.05;

/// Runs with the same keys, which follow each other in the plan.
std::vector<std::vector<RunConfig>> by_keys(const std::vector<RunConfig>& configs) {
  const auto same_keys = [](const RunConfig& a, const RunConfig& b) {
    const KeyShape x = key_shape(a);
    const KeyShape y = key_shape(b);
    return std::tie(x.n, x.min, x.range, x.values, a.input, a.seed) ==
           std::tie(y.n, y.min, y.range, y.values, b.input, b.seed);
  };
  std::vector<std::vector<RunConfig>> groups;
  for (const RunConfig& config : configs) {
    if (groups.empty() || !same_keys(groups.back().front(), config)) groups.emplace_back();
    groups.back().push_back(config);
  }
  return groups;
}

constexpr std::int64_t most_simulated = 1 << 20;  ///< keys

/// Predicted times of the runs of our rows whose counts are known or affordable. Inputs are worked
/// on in parallel, the largest first.
std::map<std::string, Prediction> predict_all(const Registry& registry,
                                              const std::vector<RunConfig>& configs,
                                              const ExperimentOptions& options) {
  auto groups = by_keys(configs);
  std::reverse(groups.begin(), groups.end());
  double total = 0;
  for (const RunConfig& config : configs) total += static_cast<double>(config.n);
  std::map<std::string, Prediction> result;
  std::mutex mutex;  // of the result and the progress
  double done = 0;
  CountOptions counting;
  counting.stored = &bundled_counts();
  counting.threads = 1;
  const auto predict_one = [&](const RunConfig& config) {
    const Algorithm& row = registry.find(config.algorithm);
    std::optional<Counted> counts = exact_counts(row, config, counting.stored);
    if (!counts && config.n <= most_simulated) {
      counts = count(row, config, counting);
    }
    std::optional<Prediction> prediction;
    if (counts) prediction = predict(config.spec, counts->report.phases, options.device);
    const std::lock_guard lock(mutex);
    if (prediction) result.emplace(config_to_json(config), *std::move(prediction));
    done += static_cast<double>(config.n);
    if (options.progress) options.progress(done / total);
  };
  tbb::task_arena arena(options.threads > 0 ? options.threads
                                            : static_cast<int>(tbb::task_arena::automatic));
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, groups.size(), 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i < range.end(); ++i) {
            std::for_each(groups[i].begin(), groups[i].end(), predict_one);
          }
        },
        tbb::simple_partitioner());
  });
  return result;
}

std::string describe_input(const ExperimentCell& cell) {
  return fmt::format("{}, {}, n = {}", to_string(cell.family), cell.panel, cell.n);
}

/// All results of a cell are the same sorted keys.
class ResultCheck {
 public:
  explicit ResultCheck(const ExperimentCell& cell) : cell_(cell) {}

  void add(const Contestant& contestant, const TimingRecord& record) {
    if (first_ == nullptr) {
      first_ = &record;
      first_label_ = contestant.label();
    } else if (record.checksum != first_->checksum) {
      throw Mismatch(fmt::format(
          "{}: the results of {} ({}) and {} ({}) differ: checksums {:016x} and {:016x}",
          describe_input(cell_), first_label_, first_->origin, contestant.label(), record.origin,
          first_->checksum, record.checksum));
    }
  }

 private:
  const ExperimentCell& cell_;
  const TimingRecord* first_ = nullptr;
  std::string first_label_;
};

void set_measured(ExperimentEntry& entry, const TimingRecord& record) {
  const Measurement measured = measurement_of(record);
  entry.measured_ms = measured.ms;
  entry.measured_low_ms = measured.low_ms;
  entry.measured_high_ms = measured.high_ms;
  entry.samples = measured.samples;
}

using TimeOf = std::optional<double> (*)(const ExperimentRow&, Team, const std::string&);

/// The fastest of `peer` and our sorts; nothing when a time is missing or nobody of ours takes
/// part.
std::optional<std::pair<std::string, double>> fastest(const ExperimentRow& row,
                                                      const std::string& peer, TimeOf time_of) {
  const auto peer_time = time_of(row, Team::cub, peer);
  if (!peer_time) return std::nullopt;
  std::pair<std::string, double> best{peer, *peer_time};
  bool alone = true;
  for (const std::string sort : our_sorts) {
    const bool takes_part =
        std::any_of(row.entries.begin(), row.entries.end(), [&](const ExperimentEntry& entry) {
          return entry.contestant.team == Team::ours && entry.contestant.sort == sort;
        });
    if (!takes_part) continue;
    const auto time = time_of(row, Team::ours, sort);
    if (!time) return std::nullopt;
    alone = false;
    if (*time < best.second) best = {sort, *time};
  }
  if (alone) return std::nullopt;
  return best;
}

std::optional<ExperimentVerdict> judge(const ExperimentRow& row, const std::string& peer) {
  const auto predicted = fastest(row, peer, predicted_ms);
  const auto measured = fastest(row, peer, measured_ms);
  if (!predicted || !measured) return std::nullopt;
  const Team team = predicted->first == peer ? Team::cub : Team::ours;
  return ExperimentVerdict{predicted->first, measured->first,
                           *measured_ms(row, team, predicted->first) / measured->second - 1};
}

ExperimentScore score(const std::vector<ExperimentRow>& rows, const std::string& peer,
                      std::optional<ExperimentVerdict> ExperimentRow::*verdict_of) {
  ExperimentScore result;
  result.peer = peer;
  std::set<std::string> seen;
  std::vector<double> predicted;
  std::vector<double> measured;
  for (const ExperimentRow& row : rows) {
    const auto& verdict = row.*verdict_of;
    if (!verdict || !seen.insert(config_to_json(row.cell.keys())).second) continue;
    ++result.cells;
    const bool right = verdict->predicted_winner == verdict->measured_winner;
    result.right += right ? 1 : 0;
    result.near += right || verdict->loss <= near_loss ? 1 : 0;
    result.side +=
        (verdict->predicted_winner == peer) == (verdict->measured_winner == peer) ? 1 : 0;
    if (!measured_ms(row, Team::ours, "H-P")) continue;
    predicted.push_back(*predicted_ms(row, Team::ours, "H-P") /
                        *predicted_ms(row, Team::cub, peer));
    measured.push_back(*measured_ms(row, Team::ours, "H-P") / *measured_ms(row, Team::cub, peer));
  }
  if (predicted.size() > 1) {
    const double correlation = spearman(predicted, measured);
    if (std::isfinite(correlation)) result.spearman = correlation;
  }
  return result;
}

template <class TimeOfEntry>
std::optional<double> shortest(const ExperimentRow& row, Team team, const std::string& sort,
                               TimeOfEntry time_of) {
  std::optional<double> best;
  for (const ExperimentEntry& entry : row.entries) {
    if (entry.contestant.team != team || entry.contestant.sort != sort) continue;
    const std::optional<double> time = time_of(entry);
    if (!time) return std::nullopt;
    if (!best || *time < *best) best = time;
  }
  return best;
}

}  // namespace

std::optional<double> measured_ms(const ExperimentRow& row, Team team, const std::string& sort) {
  return shortest(row, team, sort, [](const ExperimentEntry& entry) { return entry.measured_ms; });
}

std::optional<double> predicted_ms(const ExperimentRow& row, Team team, const std::string& sort) {
  return shortest(row, team, sort, [](const ExperimentEntry& entry) { return entry.predicted_ms; });
}

Experiment kozakai_experiment(const Registry& registry, const ExperimentOptions& options) {
  Experiment experiment;
  experiment.environment = only_environment(options.records);
  experiment.generated = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  const auto records = latest_by_run(options.records);
  const CubRadixModel cub(options.calibration);
  const auto cells = kozakai_cells(options.cells);
  const auto runs = experiment_runs(cells, registry, options.machines);

  std::vector<RunConfig> ours;
  std::size_t found = 0;
  for (const RunConfig& config : runs) {
    found += records.count(config_to_json(config));
    if (registry.find_or_null(config.algorithm) != nullptr) ours.push_back(config);
  }
  experiment.unmeasured = static_cast<std::int64_t>(runs.size() - found);
  experiment.foreign = static_cast<std::int64_t>(records.size() - found);
  const auto predictions = predict_all(registry, ours, options);
  experiment.unpredicted = static_cast<std::int64_t>(ours.size() - predictions.size());

  for (const ExperimentCell& cell : cells) {
    ExperimentRow row;
    row.cell = cell;
    ResultCheck check(cell);
    for (const Contestant& contestant : contestants()) {
      const auto config = run_of(contestant, cell, registry, options.machines);
      if (!config) continue;
      ExperimentEntry entry;
      entry.contestant = contestant;
      const std::string key = config_to_json(*config);
      if (const auto record = records.find(key); record != records.end()) {
        check.add(contestant, *record->second);
        set_measured(entry, *record->second);
      }
      if (const auto prediction = predictions.find(key); prediction != predictions.end()) {
        entry.predicted_ms = prediction->second.milliseconds;
        entry.limit = prediction->second.limit;
      } else if (contestant.team == Team::cub) {
        entry.predicted_ms = cub.milliseconds(*config);
        entry.limit = "calibrated";
      }
      row.entries.push_back(std::move(entry));
    }
    row.against_cub = judge(row, "CUB");
    row.against_fitted = judge(row, "CUB fitted");
    experiment.rows.push_back(std::move(row));
  }
  experiment.scores = {score(experiment.rows, "CUB", &ExperimentRow::against_cub),
                       score(experiment.rows, "CUB fitted", &ExperimentRow::against_fitted)};
  experiment.findings = kozakai_findings(experiment.rows);
  return experiment;
}

}  // namespace agpusim
