#include "agpusim/validation/analysis/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_for_each.h>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/analysis/check_counters.hpp"
#include "agpusim/validation/analysis/evaluate.hpp"
#include "agpusim/validation/analysis/limiting.hpp"
#include "agpusim/validation/analysis/scores.hpp"
#include "agpusim/validation/analysis/select_records.hpp"
#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/io/stats.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/measurement.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim {
namespace {

/// What the model says of one run.
struct Evaluation {
  const Algorithm* algorithm = nullptr;
  RunConfig config;
  std::optional<Counted> counted;
  std::optional<std::uint64_t> checksum;  ///< of the result; none when nothing was run
  ChecksumSource checksum_source = ChecksumSource::none;
};

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

/// Evaluates every run of the records once.
class Evaluator {
 public:
  Evaluator(const Registry& registry, const AnalysisOptions& options)
      : registry_(registry), options_(options), stored_(&bundled_counts()) {
    for (const auto& path : options.counts) stored_.read(path);
  }

  /// Takes up a run. Throws detail::UnusableRecord.
  template <class Record>
  void announce(const Record& record) {
    std::string key = config_to_json(record.config);
    if (evaluations_.contains(key)) return;
    const Algorithm& row = detail::row_of(registry_, record.config);
    evaluations_.emplace(std::move(key), Evaluation{&row, record.config, {}, {}});
  }

  /// Counts what the announced runs take: known counts on all cores, then what must be simulated.
  void count_all() {
    std::vector<Evaluation*> left;
    for (auto& [key, evaluation] : evaluations_) left.push_back(&evaluation);
    if (options_.verify_limit > 0) {
      verify(left);
    } else {
      tbb::parallel_for_each(left, [&](Evaluation* evaluation) {
        evaluation->counted = exact_counts(*evaluation->algorithm, evaluation->config, &stored_);
      });
      std::erase_if(left, [](const Evaluation* one) { return one->counted.has_value(); });
      count_cheapest_first(left);
    }
    for (auto& [key, evaluation] : evaluations_) compare_result(evaluation);
    report("done", 1);
  }

  /// The evaluation of an announced run. Throws detail::UnusableRecord when the record's checksum
  /// is not its.
  template <class Record>
  const Evaluation& operator()(const Record& record) const {
    const Evaluation& evaluation = evaluations_.at(config_to_json(record.config));
    if (evaluation.checksum && *evaluation.checksum != record.checksum) {
      throw detail::UnusableRecord(fmt::format(
          "{}: field 'checksum' is not that of the run's result", record.config.algorithm));
    }
    return evaluation;
  }

 private:
  /// Counts the runs and simulates again what is affordable, on other processes too.
  void verify(const std::vector<Evaluation*>& runs) {
    CountOptions counting;
    counting.stored = &stored_;
    counting.verify = true;
    counting.simulate_limit = options_.verify_limit;
    counting.threads = options_.threads;
    const auto count_one = [&](std::size_t i) {
      return count(*runs[i]->algorithm, runs[i]->config, counting);
    };
    std::size_t begun = 0;
    const auto begin = [&](std::size_t i) {
      report(name_of(*runs[i]), static_cast<double>(begun++) / static_cast<double>(runs.size()));
    };
    if (!options_.share) {
      for (std::size_t i = 0; i < runs.size(); ++i) {
        begin(i);
        runs[i]->counted = count_one(i);
      }
      return;
    }
    ranks::Work work;
    std::string digest;
    for (const Evaluation* const run : runs) digest += config_to_json(run->config);
    work.digest = detail::to_hex(detail::fnv1a(digest));
    work.order.resize(runs.size());
    std::iota(work.order.begin(), work.order.end(), std::size_t{0});
    std::stable_sort(work.order.begin(), work.order.end(), [&](std::size_t a, std::size_t b) {
      return runs[a]->config.n > runs[b]->config.n;
    });
    work.name = [&](std::size_t i) { return name_of(*runs[i]); };
    work.run = [&](std::size_t i, const std::string&) {
      return to_text(runs[i]->config, count_one(i));
    };
    options_.share(work, {.begin = begin, .take = [&](std::size_t i, const std::string& text) {
                            runs[i]->counted = counted_from(text);
                          }});
  }

  void count_cheapest_first(const std::vector<Evaluation*>& runs) {
    constexpr double base_limit = 1 << 22;  // simulated all the same, or to extrapolate from
    std::vector<std::pair<double, Evaluation*>> by_cost(runs.size());
    tbb::parallel_for(std::size_t{0}, runs.size(), [&](std::size_t i) {
      Evaluation* const run = runs[i];
      by_cost[i] = {estimated_lane_operations(*run->algorithm, run->config), run};
    });
    std::stable_sort(by_cost.begin(), by_cost.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    CountOptions counting;
    counting.stored = &stored_;
    counting.threads = options_.threads;
    double left = options_.simulate_limit;
    for (std::size_t i = 0; i < by_cost.size(); ++i) {
      const auto& [cost, run] = by_cost[i];
      report(name_of(*run), static_cast<double>(i) / static_cast<double>(by_cost.size()));
      counting.operations = cost;
      counting.simulate_limit = cost <= left ? cost : std::min(cost, base_limit);
      run->counted = count(*run->algorithm, run->config, counting);
      if (run->counted->source != CountSource::simulated) continue;
      left -= cost;
      stored_.add({run->config, run->counted->report, run->counted->checksum, 0});
    }
  }

  static std::string name_of(const Evaluation& run) {
    return fmt::format("{} n={}", run.config.algorithm, run.config.n);
  }

  void compare_result(Evaluation& evaluation) const {
    evaluation.checksum = evaluation.counted->checksum;
    if (evaluation.checksum) {
      evaluation.checksum_source = ChecksumSource::simulation;
    } else if (options_.verify_all) {
      evaluation.checksum = evaluation.algorithm->reference(evaluation.config);
      evaluation.checksum_source = ChecksumSource::reference;
    }
  }

  void report(const std::string& label, double fraction) const {
    if (options_.progress) options_.progress(label, fraction);
  }

  const Registry& registry_;
  const AnalysisOptions& options_;
  StoredCounts stored_;
  std::map<std::string, Evaluation> evaluations_;
};

const Formula* formula_of_q(const Algorithm& algorithm) {
  const auto it = std::find_if(algorithm.formulas.begin(), algorithm.formulas.end(),
                               [](const Formula& formula) { return formula.name == "Q"; });
  return it == algorithm.formulas.end() ? nullptr : &*it;
}

AnalysisRow make_row(const TimingRecord& record, const Evaluation& evaluation,
                     const DeviceFile& device) {
  const RunConfig& config = record.config;
  AnalysisRow row;
  row.n = config.n;
  row.input = config.input;
  row.machine = config.spec.to_string() + detail::unusual_parameters(*evaluation.algorithm, config);
  const RunReport& report = evaluation.counted->report;
  row.phases = static_cast<std::int64_t>(report.phases.size());
  row.time = report.time();
  row.io = report.total().io();
  const LowerBound lower = evaluation.algorithm->lower_bound(config);
  row.time_lower = lower.time;
  row.io_lower = lower.io;
  if (const Formula* const formula = formula_of_q(*evaluation.algorithm)) {
    row.io_formula = formula->value(config);
  }
  if (row.io_lower > 0) {
    row.optimality_ratio = static_cast<double>(row.io) / static_cast<double>(row.io_lower);
  }
  row.counts = evaluation.counted->source;
  row.differences = evaluation.counted->differences;
  row.checksum = evaluation.checksum_source;
  const Prediction prediction = predict(config.spec, report.phases, device);
  row.predicted_ms = prediction.milliseconds;
  row.parts = prediction.parts;
  row.limit = prediction.limit;
  row.measured = measurement_of(record);
  row.error = row.predicted_ms / row.measured.ms - 1;
  return row;
}

/// Puts a row into the group of its algorithm, variant, type and machine.
void add_row(std::vector<AnalysisGroup>& groups, const RunConfig& config,
             const Algorithm& algorithm, AnalysisRow row) {
  const auto it = std::find_if(groups.begin(), groups.end(), [&](const AnalysisGroup& group) {
    return std::tie(group.algorithm, group.variant, group.type, group.machine) ==
           std::tie(config.algorithm, config.variant, config.type, row.machine);
  });
  AnalysisGroup& group = it != groups.end() ? *it : groups.emplace_back();
  if (group.rows.empty()) {
    group.algorithm = config.algorithm;
    group.variant = config.variant;
    group.type = config.type;
    group.machine = row.machine;
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
                     return std::tie(a.n, a.input) < std::tie(b.n, b.input);
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
      predicted.push_back(row.predicted_ms);
      measured.push_back(row.measured.ms);
      errors.push_back(std::abs(row.error));
      if (!summary.worst || std::abs(row.error) > std::abs(summary.worst->error)) {
        summary.worst = WorstRow{group.algorithm, row.n, row.error};
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
  analysis.device = find_device(
      options.devices.empty() ? data_folder() / "devices" : options.devices, environment.device);

  Evaluator evaluator(registry, options);
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
    evaluator.announce(record);
    usable.timings.push_back(record);
  });
  for_each(records.counters, [&](const CounterRecord& record) {
    evaluator.announce(record);
    usable.counters.push_back(record);
  });
  evaluator.count_all();
  for_each(usable.timings, [&](const TimingRecord& record) {
    const Evaluation& evaluation = evaluator(record);
    add_row(analysis.groups, record.config, *evaluation.algorithm,
            make_row(record, evaluation, analysis.device));
  });
  for_each(usable.counters, [&](const CounterRecord& record) {
    const auto& phases = evaluator(record).counted->report.phases;
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
  analysis.worst = worst_families(analysis.groups);
  analysis.summary = summarise(analysis.groups);
  return analysis;
}

}  // namespace agpusim
