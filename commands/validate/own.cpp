#include "agpusim/commands/validate/own.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "agpusim/commands/validate/fit_rows.hpp"
#include "agpusim/commands/validate/folds.hpp"
#include "agpusim/commands/validate/to_report.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/predict/residency.hpp"
#include "agpusim/validation/records/measurement.hpp"
#include "agpusim/validation/rows/evaluate.hpp"

namespace agpusim::protocol {
namespace {

/// The timed runs of a program, as they are predicted in each way.
struct OwnRows {
  std::vector<FitRow> from_counts;
  std::vector<FitRow> from_kernels;
};

OwnRows read_own_rows(const Registry& registry, const DeviceFile& device, const RecordFile& file,
                      const StyleOf& style_of, const Options& options) {
  const RecordsByRun records = latest_by_run(file.timings, device.name);
  std::vector<Run> runs;
  for (const auto& [key, record] : records) {
    const Algorithm* const row = registry.find_or_null(record->config.algorithm);
    if (row != nullptr) runs.push_back({row->name, row, record->config});
  }
  Sources sources;
  sources.records = &records;
  Schedule schedule;
  schedule.progress = [&](std::string_view name, double) {
    if (options.progress) options.progress(std::string(name));
  };
  std::vector<Row> rows = evaluate(runs, sources, schedule);
  std::erase_if(rows, [](const Row& row) { return !row.counted; });
  std::vector<std::vector<PhaseReport>> compiled(rows.size());
  if (options.progress) options.progress("compiled kernels");
  tbb::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t i) {
    compiled[i] =
        phases_of_kernels(*rows[i].run.algorithm, rows[i].run.config, rows[i].counted->report);
  });
  OwnRows own;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    FitRow row = fit_row_of(std::move(rows[i]));
    row.style = style_of(row.run.config.algorithm);
    if (why_not_resident(row.run.config, compiled[i], device).empty()) {
      own.from_kernels.push_back(row);
      own.from_kernels.back().compiled = std::move(compiled[i]);
    }
    if (why_not_resident(row.run.config, row.counted->report.phases, device).empty()) {
      own.from_counts.push_back(std::move(row));
    }
  }
  return own;
}

Line line_of(std::string what, std::string fitted_to, const Rows& rows, const DeviceFile& device,
             const FittedConstants& fitted) {
  return {std::move(what), std::move(fitted_to),
          score_of(predicted(rows, device, fitted), measured(rows))};
}

/// Rows of the bundled table on a device, and constants fitted to them.
struct Table {
  DeviceRows rows;
  FittedConstants constants = {};
};

OwnScores scores_of(const std::string& from, const std::vector<FitRow>& rows,
                    const DeviceFile& device, const std::vector<Table>& tables) {
  OwnScores scores;
  scores.from = from;
  const Rows all = pointers(rows);
  const FittedConstants of_file = FittedConstants::of(device);
  const std::string these = "from " + from;
  scores.lines.push_back(line_of(these, "(device file)", all, device, of_file));
  std::map<std::string, Rows> by_row;
  for (const FitRow& row : rows) {
    const std::string& variant = row.run.config.variant;
    by_row[row.run.config.algorithm + (variant.empty() ? "" : " ") + variant].push_back(&row);
  }
  for (const auto& [name, of_row] : by_row) {
    scores.by_row.push_back(line_of(name, "", of_row, device, of_file));
  }
  scores.contests = contests_of(rows, predicted(all, device, of_file));

  const bool styled = std::any_of(rows.begin(), rows.end(), [](const FitRow& row) {
    return row.style != row.run.config.algorithm;
  });
  scores.left_out = styled ? "style" : "algorithm";
  const std::string others = fmt::format("the other {}s", scores.left_out);
  std::vector<Fold> folds = folds_of(rows, [](const FitRow& row) { return row.style; });
  const FittedConstants of_all = fit_all(folds, rows, device);
  if (folds.size() > 1) {
    std::vector<double> left_out;
    std::vector<double> times;
    std::vector<LeftOut> errors;
    for (const Fold& fold : folds) {
      const std::vector<Prediction> of_style = predictions(fold.left_out, device, fold.constants);
      const std::vector<double> predicted = milliseconds(of_style);
      const std::vector<double> measured = protocol::measured(fold.left_out);
      scores.by_style.push_back({fold.name, others, score_of(predicted, measured)});
      left_out.insert(left_out.end(), predicted.begin(), predicted.end());
      times.insert(times.end(), measured.begin(), measured.end());
      add_left_out(errors, fold.left_out, of_style);
    }
    scores.intervals = coverage_of(from, errors);
    scores.lines.push_back({fmt::format("{}, each {} left out", these, scores.left_out), others,
                            score_of(left_out, times)});
  }
  std::set<std::string> algorithms;
  for (const FitRow& row : rows) algorithms.insert(row.run.config.algorithm);
  for (const Table& table : tables) {
    const std::string name = "the table on " + table.rows.device.name;
    scores.lines.push_back(line_of(these, name, all, device, table.constants));
    const Rows unknown = pointers(table.rows.set.rows, [&](const FitRow& row) {
      return !algorithms.contains(row.run.config.algorithm);
    });
    if (unknown.empty()) continue;
    scores.lines.push_back(line_of(name, "these, " + these, unknown, table.rows.device, of_all));
  }
  return scores;
}

std::vector<Table> bundled_tables(const Registry& registry, const Options& options) {
  std::vector<Table> tables;
  std::vector<std::string> refused;
  for (DeviceRows& rows : read_rows_of_all(registry, "table", options, refused)) {
    const FittedConstants constants = fit(pointers(rows.set.rows), model_on(rows.device));
    tables.push_back({std::move(rows), constants});
  }
  return tables;
}

}  // namespace

std::vector<OwnScores> own_scores(const Registry& registry, const DeviceFile& device,
                                  const RecordFile& records, const StyleOf& style_of,
                                  const Options& options) {
  const OwnRows rows = read_own_rows(registry, device, records, style_of, options);
  if (rows.from_counts.empty() && rows.from_kernels.empty()) {
    throw UsageError("no timed run of these files is of " + device.name +
                     " and of a row of this program: agpusim measure");
  }
  const std::vector<Table> tables = bundled_tables(registry, options);
  if (options.progress) options.progress("fits");
  std::vector<OwnScores> scores;
  const auto add = [&](const char* from, const std::vector<FitRow>& of) {
    if (!of.empty()) scores.push_back(scores_of(from, of, device, tables));
  };
  add("counts", rows.from_counts);
  add("compiled kernels", rows.from_kernels);
  return scores;
}

report::Report to_report(const std::vector<OwnScores>& scores, const DeviceFile& device) {
  report::Report written{fmt::format("Predicted and measured times of runs on {}", device.name),
                         {}};
  report::Section& body = written.body;
  body.sentences = {
      "MAPE is the mean of |predicted / measured - 1|; median, 90 % and worst are of the same.",
      "The table is that of the bundled algorithms, predicted from counts."};
  std::vector<Line> all;
  for (const OwnScores& each : scores) {
    all.insert(all.end(), each.lines.begin(), each.lines.end());
  }
  report::Table table = report::table("scores", columns("rows predicted"), all);
  table.csv = true;
  std::vector<Coverage> intervals;
  for (const OwnScores& each : scores) {
    intervals.insert(intervals.end(), each.intervals.begin(), each.intervals.end());
  }
  body.tables = {table, interval_table(intervals)};
  for (const OwnScores& each : scores) {
    if (each.contests.pairs > 0) {
      body.sentences.push_back(fmt::format(
          "Of {} pairs of runs with one result whose times differ by more than 10 %, {} name the "
          "faster one by {}.",
          each.contests.pairs, each.contests.right, each.from));
    }
    const std::string name = each.from == "counts" ? "counts" : "kernels";
    report::Section section;
    section.heading = "From " + each.from + ":";
    if (!each.by_style.empty()) {
      section.tables.push_back(report::table(
          "styles_from_" + name, score_columns(each.left_out + " left out"), each.by_style));
    }
    section.tables.push_back(report::table("from_" + name, score_columns("row"), each.by_row));
    written.body.sections.push_back(std::move(section));
  }
  return written;
}

}  // namespace agpusim::protocol
