#include "agpusim/commands/analyze/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "agpusim/commands/analyze/check_counters.hpp"
#include "agpusim/commands/analyze/evaluate.hpp"
#include "agpusim/commands/analyze/limiting.hpp"
#include "agpusim/commands/analyze/scores.hpp"
#include "agpusim/commands/analyze/select_records.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/stats.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/measurement.hpp"
#include "agpusim/validation/records/record.hpp"
#include "agpusim/validation/rows/evaluate.hpp"
#include "agpusim/validation/rows/faults.hpp"

namespace agpusim {
namespace {

/// Counts the records that cannot be used, by reason.
class Refusals {
 public:
  void add(const std::string& reason, const std::string& first) {
    const auto it = std::find_if(all_.begin(), all_.end(),
                                 [&](const Unusable& entry) { return entry.reason == reason; });
    Unusable& entry = it != all_.end() ? *it : all_.emplace_back(Unusable{reason, 0, first});
    ++entry.records;
  }

  template <class Record>
  void add(const std::string& reason, const Record& record) {
    add(reason, fmt::format("{} with n = {}", record.origin, record.config.n));
  }

  [[nodiscard]] std::vector<Unusable> all() const { return all_; }

 private:
  std::vector<Unusable> all_;
};

/// The rows of the runs of the records.
class EvaluatedRows {
 public:
  EvaluatedRows(const Registry& registry, const AnalysisOptions& options, const DeviceFile& device)
      : registry_(registry), options_(options), device_(device), stored_(&bundled_counts()) {
    for (const auto& path : options.counts) stored_.read(path);
  }

  /// Takes up a run. Throws detail::UnusableRecord.
  void announce(const RunConfig& config) {
    Run run{config.algorithm, &detail::row_of(registry_, config), config, &device_};
    if (rows_.try_emplace(run.key()).second) runs_.push_back(std::move(run));
  }

  void evaluate_all(const RecordsByRun& records) {
    Sources sources;
    sources.counting.stored = &stored_;
    sources.counting.threads = options_.threads;
    sources.records = &records;
    Schedule schedule;
    schedule.threads = options_.threads;
    schedule.progress = options_.progress;
    if (options_.verify_limit > 0) {
      sources.counting.verify = true;
      sources.counting.simulate_limit = options_.verify_limit;
      schedule.share = options_.share;
    } else {
      schedule.all = options_.simulate_limit;
    }
    for (Row& row : evaluate(runs_, sources, schedule)) {
      rows_.at(row.run.key()) = std::move(row);
    }
    if (options_.progress) options_.progress("done", 1);
  }

  /// The row of an announced record. Throws detail::UnusableRecord where it has no counts or the
  /// result is not the record's.
  template <class Record>
  const Row& of(const Record& record) const {
    const Row& row = rows_.at(config_to_json(record.config));
    const std::string& name = record.config.algorithm;
    if (!row.counted) throw detail::UnusableRecord(fmt::format("{}: {}", name, row.refusal));
    const bool agrees = row.counted->checksum || !options_.verify_all
                            ? row.agrees_with(record.checksum)
                            : reference_of(row) == record.checksum;
    if (!agrees) {
      throw detail::UnusableRecord(
          fmt::format("{}: field 'checksum' is not that of the run's result", name));
    }
    return row;
  }

  /// What checksums of the row's records are compared with.
  [[nodiscard]] ChecksumSource checksum_source(const Row& row) const {
    if (row.counted->checksum) return ChecksumSource::simulation;
    return options_.verify_all ? ChecksumSource::reference : ChecksumSource::none;
  }

 private:
  /// The checksum of the reference, computed once.
  std::uint64_t reference_of(const Row& row) const {
    const auto [it, added] = references_.try_emplace(row.run.key());
    if (added) it->second = row.run.algorithm->reference(row.run.config);
    return it->second;
  }

  const Registry& registry_;
  const AnalysisOptions& options_;
  const DeviceFile& device_;
  StoredCounts stored_;
  std::vector<Run> runs_;
  std::map<std::string, Row> rows_;  ///< rows of announced runs; empty before they are evaluated
  mutable std::map<std::string, std::uint64_t> references_;
};

const Formula* formula_of_q(const Algorithm& algorithm) {
  const auto it = std::find_if(algorithm.formulas.begin(), algorithm.formulas.end(),
                               [](const Formula& formula) { return formula.name == "Q"; });
  return it == algorithm.formulas.end() ? nullptr : &*it;
}

/// Throws detail::UnusableRecord where no time is predicted.
AnalysisRow make_row(const Row& evaluated, ChecksumSource checksum) {
  if (!evaluated.predicted) {
    throw detail::UnusableRecord(
        fmt::format("{}: {}", evaluated.run.config.algorithm, evaluated.why_not_predicted));
  }
  AnalysisRow row{evaluated};
  row.differences = faults_of(evaluated);
  row.checksum = checksum;
  row.error = row.predicted->milliseconds / row.measured->ms - 1;
  row.counted->report = {};
  row.from_kernels = !row.compiled.empty();
  row.compiled = {};
  row.record = nullptr;  // records end with the analysis
  return row;
}

/// Puts a row into the group of its algorithm, variant, type and machine.
void add_row(std::vector<AnalysisGroup>& groups, AnalysisRow row) {
  const RunConfig& config = row.run.config;
  const Algorithm& algorithm = *row.run.algorithm;
  const std::string machine =
      config.spec.to_string() + detail::unusual_parameters(algorithm, config);
  const auto it = std::find_if(groups.begin(), groups.end(), [&](const AnalysisGroup& group) {
    return std::tie(group.algorithm, group.variant, group.type, group.machine) ==
           std::tie(config.algorithm, config.variant, config.type, machine);
  });
  AnalysisGroup& group = it != groups.end() ? *it : groups.emplace_back();
  if (group.rows.empty()) {
    group.family = algorithm.family;
    group.algorithm = config.algorithm;
    group.variant = config.variant;
    group.type = config.type;
    group.machine = machine;
    group.summary = algorithm.summary;
    group.bound_time = time_bound(algorithm, config).text;
    group.bound_io = io_bound(algorithm, config).text;
    if (const Formula* const formula = formula_of_q(algorithm)) group.formula = formula->text;
  }
  group.rows.push_back(std::move(row));
}

CounterSummary& counters_of(std::vector<CounterGroup>& groups, const RunConfig& config) {
  const auto it = std::find_if(groups.begin(), groups.end(), [&](const CounterGroup& group) {
    return group.algorithm == config.algorithm && group.variant == config.variant;
  });
  if (it != groups.end()) return it->summary;
  return groups.emplace_back(CounterGroup{config.algorithm, config.variant, {}}).summary;
}

std::vector<double> absolute_errors(const std::vector<AnalysisRow>& rows) {
  std::vector<double> errors(rows.size());
  std::transform(rows.begin(), rows.end(), errors.begin(),
                 [](const AnalysisRow& row) { return std::abs(row.error); });
  return errors;
}

void finish(AnalysisGroup& group) {
  std::stable_sort(group.rows.begin(), group.rows.end(),
                   [](const AnalysisRow& a, const AnalysisRow& b) {
                     return std::tie(a.run.config.n, a.run.config.input) <
                            std::tie(b.run.config.n, b.run.config.input);
                   });
  group.limiting = limiting_sentence(group.rows);
  const std::vector<double> errors = absolute_errors(group.rows);
  group.mape = mean(errors);
  group.median = median(errors);
}

AnalysisSummary summarise(const std::vector<AnalysisGroup>& groups) {
  AnalysisSummary summary;
  std::vector<double> predicted;
  std::vector<double> measured;
  std::vector<double> errors;
  for (const AnalysisGroup& group : groups) {
    for (const AnalysisRow& row : group.rows) {
      predicted.push_back(row.predicted->milliseconds);
      measured.push_back(row.measured->ms);
      errors.push_back(std::abs(row.error));
      if (!summary.worst || std::abs(row.error) > std::abs(summary.worst->error)) {
        summary.worst = WorstRow{group.algorithm, row.n(), row.error};
      }
    }
  }
  summary.rows = static_cast<std::int64_t>(errors.size());
  if (errors.empty()) return summary;
  summary.mape = mape(predicted, measured);
  summary.median = median(errors);
  summary.p90 = quantile(errors, 0.9);
  summary.within = share_within(errors);
  const auto defined = [](double value) {
    return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
  };
  summary.pearson = defined(pearson(predicted, measured));
  summary.spearman = defined(spearman(predicted, measured));
  return summary;
}

}  // namespace

Analysis analyze(const Registry& registry, const AnalysisOptions& options) {
  if (!options.algorithm.empty()) static_cast<void>(registry.find(options.algorithm));
  Refusals refusals;
  const RecordFile records =
      detail::select_records(options, [&](const std::string& origin, const std::string& reason) {
        refusals.add("damaged: " + reason, origin);
      });
  const Environment& environment = records.timings.empty() ? records.counters.front().environment
                                                           : records.timings.front().environment;
  Analysis analysis;
  analysis.generated = utc_now();
  analysis.verified = options.verify_limit > 0;
  analysis.bundled = options.records.empty();
  analysis.device = find_device(
      options.devices.empty() ? data_folder() / "devices" : options.devices, environment.device);

  EvaluatedRows rows(registry, options, analysis.device);
  const auto for_each = [&](const auto& all, const auto& use) {
    for (const auto& record : all) {
      try {
        use(record);
      } catch (const detail::UnusableRecord& unusable) {
        refusals.add(unusable.what(), record);
      }
    }
  };
  RecordFile usable;
  for_each(records.timings, [&](const TimingRecord& record) {
    rows.announce(record.config);
    usable.timings.push_back(record);
  });
  for_each(records.counters, [&](const CounterRecord& record) {
    rows.announce(record.config);
    usable.counters.push_back(record);
  });
  const RecordsByRun records_by_run = latest_by_run(usable.timings);
  rows.evaluate_all(records_by_run);
  for_each(usable.timings, [&](const TimingRecord& record) {
    const Row& row = rows.of(record);
    add_row(analysis.groups, make_row(row, rows.checksum_source(row)));
  });
  for_each(usable.counters, [&](const CounterRecord& record) {
    const Counted& counted = *rows.of(record).counted;
    if (counted.source == CountSource::extrapolated) {
      throw detail::UnusableRecord(fmt::format(
          "{}: what counters are compared with is extrapolated here", record.config.algorithm));
    }
    const auto& phases = counted.report.phases;
    add_launch(analysis.counters, record, phases);
    add_launch(counters_of(analysis.counter_groups, record.config), record, phases);
  });
  analysis.unusable = refusals.all();
  if (analysis.groups.empty() && analysis.counters.launches == 0) {
    const Unusable& first = analysis.unusable.front();
    throw FileError(
        fmt::format("no record can be used: {}: {}; measure again", first.first, first.reason));
  }
  for (AnalysisGroup& group : analysis.groups) finish(group);
  analysis.scores = scores_of(analysis.groups);
  analysis.families = scores_of_families(analysis.groups);
  analysis.worst = worst_machines(analysis.groups);
  analysis.summary = summarise(analysis.groups);
  return analysis;
}

}  // namespace agpusim
