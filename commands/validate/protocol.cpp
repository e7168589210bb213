#include "agpusim/commands/validate/protocol.hpp"

#include <algorithm>
#include <cmath>

#include "agpusim/commands/validate/fit_rows.hpp"
#include "agpusim/commands/validate/folds.hpp"
#include "agpusim/commands/validate/profiled_kernels.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/stats.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim::protocol {
namespace {

/// Milliseconds by the longest throughput of each phase and the launches alone.
double roofline_ms(const FitRow& row, const DeviceFile& device) {
  FittedConstants none;
  none.overlap = 1;
  double nanoseconds =
      1e3 * (device.value("launch_latency") +
             device.value("launch") * static_cast<double>(row.launches().size() - 1));
  for (const PhaseTerms& terms : terms_of(row.run.config.spec, row.launches(), device, none)) {
    nanoseconds += std::max({terms.issue, terms.shared, terms.bandwidth, terms.atomics});
  }
  return nanoseconds * 1e-6;
}

/// A number of every row of a set, in its order.
class PerRow {
 public:
  explicit PerRow(const RowSet& set) : set_(&set), values_(set.rows.size()) {}
  void put(const Rows& rows, const std::vector<double>& values) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      values_[static_cast<std::size_t>(rows[i] - set_->rows.data())] = values[i];
    }
  }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  const RowSet* set_;
  std::vector<double> values_;
};

/// `quantity` of rows in milliseconds, by the median of what one unit took in others.
std::vector<double> in_proportion(const Rows& rows, const Rows& fitted_to, const char* quantity) {
  const auto count = [&](const FitRow* row) { return static_cast<double>(row->count(quantity)); };
  std::vector<double> units;
  for (const FitRow* const row : fitted_to) units.push_back(row->measured->ms / count(row));
  const double unit = median(units);
  std::vector<double> result;
  for (const FitRow* const row : rows) result.push_back(unit * count(row));
  return result;
}

/// The power law a·n^c with the least squares of logarithms over `fitted_to`.
std::vector<double> power_law(const Rows& rows, const Rows& fitted_to) {
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (const FitRow* const row : fitted_to) {
    const double lg_n = std::log(static_cast<double>(row->n()));
    const double lg_time = std::log(row->measured->ms);
    x += lg_n;
    y += lg_time;
    xx += lg_n * lg_n;
    xy += lg_n * lg_time;
  }
  const auto count = static_cast<double>(fitted_to.size());
  const double exponent = (count * xy - x * y) / (count * xx - x * x);
  const double factor = std::exp((y - exponent * x) / count);
  std::vector<double> result;
  for (const FitRow* const row : rows) {
    result.push_back(factor * std::pow(static_cast<double>(row->n()), exponent));
  }
  return result;
}

}  // namespace

Validation run(const Registry& registry, const DeviceFile& device, const Options& options) {
  Validation result;
  RecordFile records = read_all_records(record_folders({"analysis", "table"}));
  const auto rows_of = [&](const std::string& experiment, const RecordFile& file) {
    return read_rows(registry, device, experiment, file, options, result.refused);
  };
  const RowSet training = rows_of("table", records);
  if (training.rows.empty()) {
    throw UsageError("no timed runs of " + device.name + " to validate with: agpusim measure");
  }
  std::erase_if(records.counters, [&](const CounterRecord& record) {
    return record.environment.device != device.name;
  });
  result.prologues = prologues_of(registry, records.counters);
  for (const FitRow& row : training.rows) result.compiled_rows += row.compiled.empty() ? 0 : 1;

  constexpr std::int64_t large = 1 << 20;
  std::vector<Fold> folds = folds_of(training.rows, [](const FitRow& row) { return row.style; });
  const auto algorithms = static_cast<std::ptrdiff_t>(folds.size());
  for (Fold& fold :
       folds_of(training.rows, [](const FitRow& row) { return row.run.algorithm->family; })) {
    folds.push_back(std::move(fold));
  }
  folds.push_back({"large n",
                   pointers(training.rows, [](const FitRow& row) { return row.n() < large; }),
                   pointers(training.rows, [](const FitRow& row) { return row.n() >= large; })});
  if (options.progress) options.progress("fits");
  result.constants = fit_all(folds, training.rows, device);
  const Fold without_large = std::move(folds.back());
  folds.pop_back();
  const std::vector<Fold> families(folds.begin() + algorithms, folds.end());
  folds.erase(folds.begin() + algorithms, folds.end());
  const Rows rows = pointers(training.rows);

  // Predictions of the training rows, each by constants fitted without its algorithm.
  std::vector<LeftOut> errors;
  PerRow left_out(training);
  PerRow by_time(training);
  PerRow by_io(training);
  PerRow by_size(training);
  for (const Fold& fold : folds) {
    const std::vector<Prediction> of_fold = predictions(fold.left_out, device, fold.constants);
    const std::vector<double> times = milliseconds(of_fold);
    add_left_out(errors, fold.left_out, of_fold);
    result.by_algorithm.push_back(
        {fold.name, "the other algorithms", score_of(times, measured(fold.left_out))});
    left_out.put(fold.left_out, times);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const FitRow& row = *fold.left_out[i];
      result.held_out.push_back(
          {fold.name, static_cast<double>(row.n()), row.measured->ms, times[i]});
    }
    by_time.put(fold.left_out, in_proportion(fold.left_out, fold.fitted_to, "T"));
    by_size.put(fold.left_out, power_law(fold.left_out, fold.fitted_to));
    by_io.put(fold.left_out, in_proportion(fold.left_out, fold.fitted_to, "Q"));
  }
  PerRow left_families(training);
  for (const Fold& fold : families) {
    const std::vector<double> times = predicted(fold.left_out, device, fold.constants);
    result.by_family.push_back(
        {fold.name, "the other families", score_of(times, measured(fold.left_out))});
    left_families.put(fold.left_out, times);
  }
  const std::vector<double> times = measured(rows);
  result.lines.push_back(
      {"each algorithm left out", "the other algorithms", score_of(left_out.values(), times)});
  result.lines.push_back(
      {"each family left out", "the other families", score_of(left_families.values(), times)});
  result.lines.push_back(
      {"n >= 2^20 left out", "n < 2^20",
       score_of(predicted(without_large.left_out, device, without_large.constants),
                measured(without_large.left_out))});
  for (const std::string experiment :
       {"earlier", "statistics", "integer_sorts", "primitives", "seeds"}) {
    const RowSet set = rows_of(experiment, read_all_records(record_folders({experiment})));
    if (set.rows.empty()) continue;
    const Rows of_set = pointers(set.rows);
    const std::vector<Prediction> of_rows = predictions(of_set, device, result.constants);
    add_left_out(errors, of_set, of_rows);
    result.lines.push_back({"not fitted to: " + experiment, "the table",
                            score_of(milliseconds(of_rows), measured(of_set))});
  }
  for (const DeviceRows& other :
       read_rows_of_all(registry, "table", options, result.refused, device.name)) {
    const Rows of_other = pointers(other.set.rows);
    result.lines.push_back(
        {"another card: " + other.device.name, "the table",
         score_of(predicted(of_other, other.device, result.constants), measured(of_other))});
  }
  result.lines.push_back({"the table itself", "the table (not held out)",
                          score_of(predicted(rows, device, result.constants), times)});
  result.intervals = coverage_of("counts", errors);
  result.contests = contests_of(training.rows, left_out.values());
  result.crossings = crossings_of(training.rows, left_out.values());
  result.moved = moved_constants(rows, device, result.constants);
  if (options.ablation) {
    if (options.progress) options.progress("the model without a term");
    result.ablation = ablation(rows, device);
  }

  std::vector<double> roofline;
  for (const FitRow* const row : rows) roofline.push_back(roofline_ms(*row, device));
  result.baselines = {
      {"time T alone, one factor", "the other algorithms", score_of(by_time.values(), times)},
      {"I/O Q alone, one factor", "the other algorithms", score_of(by_io.values(), times)},
      {"power law in n", "the other algorithms", score_of(by_size.values(), times)},
      {"roofline and launches", "", score_of(roofline, times)}};
  return result;
}

}  // namespace agpusim::protocol
