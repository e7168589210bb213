#include "agpusim/validation/rows/evaluate.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/run.hpp"
#include "agpusim/validation/compiled/compiled.hpp"
#include "agpusim/validation/io/json_lines.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/predict/residency.hpp"
#include "agpusim/validation/report/pram_report.hpp"
#include "agpusim/validation/rows/faults.hpp"

namespace agpusim {
namespace {

/// Between a run and the digest of the constants, and before that of what its kernels cost.
constexpr const char* of_constants = " predicted by ";
constexpr const char* of_kernels = " of kernels ";

/// Rows that were kept by a version without a constant stay valid.
std::string digest_of(const DeviceFile& device) {
  std::string text = device.name;
  for (const Constant& c : device.constants) {
    if (!is_default(c)) text += fmt::format(" {}={}", c.name, c.value);
  }
  return detail::to_hex(detail::fnv1a(text));
}

/// What counting a run gives, before anything is made of it; a text between processes.
struct Outcome {
  std::string refusal = {};
  bool breaks_rule = false;
  std::optional<Counted> counted = {};
  std::optional<PramForm> form = {};  ///< on a PRAM
  bool simulated_on_pram = false;
  std::string kernels = {};  ///< digest of a run whose counts are not known without a simulation
  bool kept = false;         ///< there is a row of these kernels
};

std::string to_text(const PramForm& form) {
  return fmt::format("{} {} {}", form.steps, form.processors, form.work);
}

PramForm form_from(const std::string& text) {
  PramForm form;
  std::istringstream(text) >> form.steps >> form.processors >> form.work;
  return form;
}

std::string to_text(const Run& run, const Outcome& outcome) {
  const char* const what = outcome.breaks_rule         ? "broken"
                           : !outcome.refusal.empty()  ? "refused"
                           : outcome.kept              ? "kept"
                           : outcome.simulated_on_pram ? "simulated"
                           : outcome.form              ? "form"
                                                       : "counted";
  return fmt::format("{} {}\n{}", what, outcome.kernels,
                     !outcome.refusal.empty() ? outcome.refusal
                     : outcome.counted        ? to_text(run.config, *outcome.counted)
                     : outcome.form           ? to_text(*outcome.form)
                                              : "");
}

Outcome outcome_from(const std::string& text) {
  const std::size_t end = text.find('\n');
  const std::string head = text.substr(0, end);
  const std::string what = head.substr(0, head.find(' '));
  const std::string rest = text.substr(end + 1);
  Outcome outcome;
  outcome.kernels = head.substr(head.find(' ') + 1);
  outcome.kept = what == "kept";
  outcome.simulated_on_pram = what == "simulated";
  if (what == "form" || what == "simulated") outcome.form = form_from(rest);
  outcome.breaks_rule = what == "broken";
  if (outcome.breaks_rule || what == "refused") outcome.refusal = rest;
  if (what == "counted" && !rest.empty()) outcome.counted = counted_from(rest);
  return outcome;
}

std::string identity_text(const std::string& program, const std::string& run_key,
                          const std::string& device) {
  return fmt::format("{} {}{}{}", program, run_key, device.empty() ? "" : " ", device);
}

void add_counts(Row& row, Counted counted) {
  const Algorithm& algorithm = *row.run.algorithm;
  const RunConfig& config = row.run.config;
  const RunReport& report = counted.report;
  row.lower = algorithm.lower_bound(config);
  row.quantities = quantities_of(algorithm, config, report, row.lower);
  row.phases = std::ssize(report.phases);
  row.source = to_string(counted.source);
  row.from_n = counted.from_n;
  if (row.run.device != nullptr) {
    row.compiled = phases_of_kernels(algorithm, config, report);
    const bool compiled = !row.compiled.empty();
    const PredictedFrom from = from_counts(algorithm);
    PredictedRun predicted =
        predict_run(config, compiled ? row.compiled : report.phases, *row.run.device,
                    compiled && from == PredictedFrom::counts ? PredictedFrom::kernels : from);
    row.predicted = std::move(predicted.prediction);
    row.why_not_predicted = std::move(predicted.why_not);
  }
  row.counted = std::move(counted);
}

void add_form(Row& row, const PramForm& form, bool simulated) {
  const RunConfig& config = row.run.config;
  const PramBound& bound = pram_variant_of(*row.run.algorithm, config).on_pram;
  row.source = simulated ? to_string(CountSource::simulated) : "closed form";
  const auto add = [&](const char* name, std::int64_t count, const auto& value) {
    Quantity quantity{name, count};
    quantity.stated = bound.text;
    if (value) quantity.bound = value(config);
    row.quantities.push_back(std::move(quantity));
  };
  add("steps", form.steps, bound.steps);
  add("processors", form.processors, bound.processors);
  add("work", form.work, bound.work);
}

/// Counts runs from any thread, and makes their rows.
class Evaluator {
 public:
  explicit Evaluator(const Sources& sources) : sources_(sources) {}

  [[nodiscard]] const Sources& sources() const { return sources_; }

  /// `kernels`: digests of kept rows of this run; of the sources' where it is null.
  Outcome count(const Run& run, const CountOptions& counting,
                const std::vector<std::string>* kernels = nullptr) {
    Outcome outcome{run.refusal};
    if (!outcome.refusal.empty()) return outcome;
    try {
      if (run.on_pram()) {
        count_on_pram(outcome, run, counting);
      } else if (run.algorithm != nullptr) {
        count_on_agpu(outcome, run, counting, kernels);
      }
    } catch (const UsageError& error) {
      outcome.refusal = error.what();
    } catch (const RuleViolation& error) {
      outcome.refusal = error.what();
      outcome.breaks_rule = true;
    }
    return outcome;
  }

  Row row(const Run& run, Outcome outcome) const {
    Row row{run, std::move(outcome.refusal), outcome.breaks_rule};
    row.key = kept_key(run);
    if (run.device != nullptr) row.device = run.device->name;
    if (!outcome.kernels.empty()) row.key += of_kernels + outcome.kernels;
    if (outcome.kept) {
      row = *kept_row(row.key);
      row.run = run;
    } else if (run.on_pram()) {
      if (outcome.form) add_form(row, *outcome.form, outcome.simulated_on_pram);
    } else if (outcome.counted) {
      add_counts(row, *std::move(outcome.counted));
    }
    if (sources_.records == nullptr || run.on_pram()) return row;
    if (const auto it = sources_.records->find(run.key()); it != sources_.records->end()) {
      row.record = it->second;
      row.measured = measurement_of(*row.record);
    }
    return row;
  }

  /// The digests of the kernels of what was kept of a run.
  [[nodiscard]] std::vector<std::string> kept_kernels(const Run& run) const {
    std::vector<std::string> kernels;
    if (sources_.kept == nullptr) return kernels;
    const auto [begin, end] = sources_.kept->equal_range(kept_key(run));
    for (auto it = begin; it != end; ++it) {
      const std::string& key = it->second.key;
      if (const std::size_t at = key.find(of_kernels); at != std::string::npos) {
        kernels.push_back(key.substr(at + std::string(of_kernels).size()));
      }
    }
    return kernels;
  }

 private:
  /// By the closed form, which --verify compares with a run; without one by the run.
  static void count_on_pram(Outcome& outcome, const Run& run, const CountOptions& counting) {
    const PramSide& side = *run.algorithm->pram;
    if (side.closed_form) outcome.form = side.closed_form(run.config);
    if (outcome.form &&
        (!counting.verify || static_cast<double>(outcome.form->work) > counting.simulate_limit)) {
      return;
    }
    const PramRunResult result =
        side.run(run.config, {.threads = counting.threads, .record_trace = false});
    if (!outcome.form) outcome.form = counted_form(result.report);
    require_equal(fmt::format("{} with n = {}", run.program, run.config.n), result.report,
                  result.differences, *outcome.form);
    outcome.simulated_on_pram = true;
  }

  void count_on_agpu(Outcome& outcome, const Run& run, const CountOptions& counting,
                     const std::vector<std::string>* kernels) {
    if (sources_.kept != nullptr) {
      outcome.counted = exact_counts(*run.algorithm, run.config, counting.stored);
      if (!outcome.counted) {
        outcome.kernels = fingerprint(run);
        const auto all = kernels != nullptr ? *kernels : kept_kernels(run);
        outcome.kept =
            !counting.verify && std::find(all.begin(), all.end(), outcome.kernels) != all.end();
      }
      if (outcome.kept || (outcome.counted && !counting.verify)) return;
    }
    outcome.counted = agpusim::count(*run.algorithm, run.config, counting);
  }

  [[nodiscard]] const Row* kept_row(const std::string& key) const {
    const auto [begin, end] = sources_.kept->equal_range(kept_key(key));
    const Row* last = nullptr;
    for (auto it = begin; it != end; ++it) {
      if (it->second.key == key) last = &it->second;
    }
    return last;
  }

  std::string fingerprint(const Run& run) {
    const std::scoped_lock lock(fingerprint_mutex_);
    return detail::to_hex(fingerprints_(*run.algorithm, run.config));
  }

  const Sources& sources_;
  std::mutex fingerprint_mutex_;
  Fingerprints fingerprints_;
};

/// Whether a run has a row: others were only measured.
bool is_counted(const Run& run) { return run.algorithm != nullptr; }

/// Works on a list of runs.
class List {
 public:
  List(const std::vector<Run>& runs, const Sources& sources, const Schedule& schedule)
      : runs_(runs),
        schedule_(schedule),
        evaluator_(sources),
        arena_(schedule.threads > 0 ? schedule.threads
                                    : static_cast<int>(tbb::task_arena::automatic)),
        rows_(runs.size()),
        counted_(static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), is_counted))) {}

  std::vector<Row> rows() {
    std::vector<std::size_t> order = largest_first(runs_);
    if (schedule_.share) {
      share(order);
    } else if (std::isinf(schedule_.all)) {
      const CountOptions counting = evaluator_.sources().counting;
      each(order, [&](std::size_t) { return counting; });
    } else {
      spend(std::move(order));
    }
    std::vector<Row> rows;
    for (std::optional<Row>& row : rows_) {
      if (row) rows.push_back(std::move(*row));
    }
    return rows;
  }

 private:
  template <class CountingOf>
  void each(const std::vector<std::size_t>& order, const CountingOf& counting_of) {
    std::atomic<std::size_t> next = 0;
    arena_.execute([&] {
      tbb::parallel_for(0, tbb::this_task_arena::max_concurrency(), [&](int) {
        for (std::size_t i = next++; i < order.size(); i = next++) {
          if (schedule_.stop && schedule_.stop()) return;
          begin(order[i]);
          const Run& run = runs_[order[i]];
          take(order[i], evaluator_.count(run, counting_of(order[i])));
        }
      });
    });
  }

  void begin(std::size_t i) {
    if (!schedule_.progress || !is_counted(runs_[i])) return;
    const std::scoped_lock lock(mutex_);
    schedule_.progress(name_of(runs_[i]),
                       static_cast<double>(begun_++) / static_cast<double>(counted_));
  }

  void take(std::size_t i, Outcome outcome) {
    Row row = evaluator_.row(runs_[i], std::move(outcome));
    const std::scoped_lock lock(mutex_);
    if (schedule_.done) schedule_.done(row);
    rows_[i] = std::move(row);
  }

  /// Known counts first; then simulations, the cheapest first, while lane operations are left; then
  /// the rest, extrapolated from those.
  void spend(std::vector<std::size_t> order) {
    const CountOptions usual = evaluator_.sources().counting;
    std::vector<double> costs(runs_.size(), 0);
    arena_.execute([&] {
      tbb::parallel_for(std::size_t{0}, runs_.size(), [&](std::size_t i) {
        const Run& run = runs_[i];
        if (!run.refusal.empty() || run.algorithm == nullptr || run.on_pram()) return;
        Outcome outcome;
        outcome.counted = exact_counts(*run.algorithm, run.config, usual.stored);
        if (outcome.counted) {
          take(i, std::move(outcome));
        } else {
          costs[i] = estimated_lane_operations(*run.algorithm, run.config);
        }
      });
    });
    std::erase_if(order, [&](std::size_t i) { return rows_[i].has_value(); });
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return costs[a] < costs[b]; });
    double left = schedule_.all;
    constexpr double at_least = 1 << 22;  // simulated all the same, or to extrapolate from
    std::vector<std::size_t> affordable;
    std::vector<std::size_t> rest;
    for (const std::size_t i : order) {
      const bool pays = costs[i] <= std::max(left, at_least);
      (pays ? affordable : rest).push_back(i);
      if (pays) left -= costs[i];
    }
    StoredCounts simulated(usual.stored);
    const auto counting_of = [&](double limit) {
      return [&, limit](std::size_t i) {
        CountOptions counting = usual;
        counting.stored = &simulated;
        counting.operations = costs[i];
        counting.simulate_limit = std::min(costs[i], limit);
        return counting;
      };
    };
    each(affordable, counting_of(std::numeric_limits<double>::infinity()));
    for (const std::size_t i : affordable) {
      if (!rows_[i] || !rows_[i]->counted) continue;
      const Counted& counted = *rows_[i]->counted;
      if (counted.source != CountSource::simulated) continue;
      simulated.add({runs_[i].config, counted.report, counted.checksum, 0});
    }
    each(rest, counting_of(at_least));
  }

  void share(const std::vector<std::size_t>& order) {
    ranks::Work work;
    work.digest = digest_of(runs_);
    work.order = order;
    work.name = [this](std::size_t i) { return name_of(runs_[i]); };
    work.run = [this](std::size_t i, const std::string& known) {
      std::vector<std::string> kernels;
      std::istringstream text(known);
      for (std::string line; std::getline(text, line);) kernels.push_back(line);
      return to_text(runs_[i], evaluator_.count(runs_[i], evaluator_.sources().counting, &kernels));
    };
    schedule_.share(
        work,
        {.known =
             [this](std::size_t i) {
               return fmt::format("{}", fmt::join(evaluator_.kept_kernels(runs_[i]), "\n"));
             },
         .begin = [this](std::size_t i) { begin(i); },
         .take = [this](std::size_t i, const std::string& text) { take(i, outcome_from(text)); },
         .stop = schedule_.stop,
         .save = schedule_.save});
  }

  const std::vector<Run>& runs_;
  const Schedule& schedule_;
  Evaluator evaluator_;
  tbb::task_arena arena_;
  std::mutex mutex_;  // guards what follows
  std::vector<std::optional<Row>> rows_;
  std::size_t begun_ = 0;
  std::size_t counted_ = 0;  ///< runs of rows
};

}  // namespace

const Quantity* Row::find(std::string_view quantity) const {
  const auto it = std::find_if(quantities.begin(), quantities.end(),
                               [&](const Quantity& q) { return q.name == quantity; });
  return it == quantities.end() ? nullptr : &*it;
}

void Row::require_counted() const {
  if (breaks_rule) throw RuleViolation(refusal);
  if (!refusal.empty()) throw UsageError(refusal);
}

std::vector<PhaseReport> phases_of_kernels(const Algorithm& algorithm, const RunConfig& config,
                                           const RunReport& report) {
  if (const CountRecord* const known = bundled_compiled().find(config)) return known->report.phases;
  constexpr std::int64_t most_instructions = std::int64_t{1} << 25;
  constexpr std::int64_t longest = std::int64_t{1} << 20;
  const bool takes_long = algorithm.compiled ? report.total().instructions() > most_instructions
                                             : time_of_tasks(report) > longest;
  if (takes_long) return {};
  try {
    return algorithm.compiled ? algorithm.compiled(config) : derived_phases_of(algorithm, config);
  } catch (const Error&) {
    return {};  // what runs here and not in PTX is predicted from its counts
  }
}

Sources known_only() {
  Sources sources;
  sources.counting.simulate_limit = 0;
  sources.counting.extrapolate = false;
  return sources;
}

Row evaluate(const Run& run, const Sources& sources) {
  Evaluator evaluator(sources);
  return evaluator.row(run, evaluator.count(run, sources.counting));
}

std::vector<Row> evaluate(const std::vector<Run>& runs, const Sources& sources,
                          const Schedule& schedule) {
  return List(runs, sources, schedule).rows();
}

std::vector<std::size_t> largest_first(const std::vector<Run>& runs) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return runs[a].config.n > runs[b].config.n;
  });
  return order;
}

std::string kept_key(const Run& run) {
  return run.key() + (run.device == nullptr ? "" : of_constants + digest_of(*run.device));
}

std::string kept_key(const std::string& row_key) {
  return row_key.substr(0, row_key.find(of_kernels));
}

std::string run_key(const std::string& row_key) {
  return row_key.substr(0, std::min(row_key.find(of_constants), row_key.find(of_kernels)));
}

std::string identity(const Row& row) {
  return identity_text(row.run.program, run_key(row.key), row.device);
}

std::string identity(const Run& run) {
  return identity_text(run.program, run.key(), run.device == nullptr ? "" : run.device->name);
}

std::string digest_of(const std::vector<Run>& runs) {
  std::string text;
  for (const Run& run : runs) text += identity(run) + "\n";
  return detail::to_hex(detail::fnv1a(text));
}

std::string name_of(const Run& run) {
  return fmt::format("{} with n = {}{}", run.program, detail::size_text(run.config.n),
                     run.on_pram() ? "" : " on " + run.config.spec.to_string());
}

}  // namespace agpusim
