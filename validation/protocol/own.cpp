#include "agpusim/validation/protocol/own.hpp"

#include <list>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/protocol/to_report.hpp"
#include "agpusim/validation/records/measurement.hpp"
#include "agpusim/validation/rows/evaluate.hpp"

namespace agpusim::protocol {
namespace {

struct Predicted {
  std::vector<double> predicted;
  std::vector<double> measured;

  void add(const Row& row) {
    predicted.push_back(row.predicted->milliseconds);
    measured.push_back(row.measured->ms);
  }
  [[nodiscard]] Line line(std::string what) const {
    return {std::move(what), "", score_of(predicted, measured)};
  }
};

OwnScores scores_of(std::string from, const std::vector<Row>& rows) {
  OwnScores scores;
  scores.from = std::move(from);
  Predicted all;
  std::map<std::string, Predicted> by_row;
  std::vector<FitRow> runs;
  for (const Row& row : rows) {
    const RunConfig& config = row.run.config;
    all.add(row);
    by_row[config.algorithm + (config.variant.empty() ? "" : " ") + config.variant].add(row);
    FitRow& run = runs.emplace_back();
    run.algorithm = config.algorithm;
    run.problem = problem_of(config, row.record->checksum);
    run.n = config.n;
    run.measured_ms = row.measured->ms;
  }
  scores.all = all.line(scores.from);
  for (const auto& [name, of_row] : by_row) scores.by_row.push_back(of_row.line(name));
  scores.contests = contests_of(runs, all.predicted);
  return scores;
}

}  // namespace

std::vector<OwnScores> own_scores(const Registry& registry, const DeviceFile& device,
                                  const RecordFile& file, const Options& options) {
  const RecordsByRun records = latest_by_run(file.timings, device.name);
  std::list<Algorithm> without_kernels;
  std::vector<Run> from_counts;
  std::vector<Run> from_kernels;
  for (const auto& [key, record] : records) {
    const Algorithm* const row = registry.find_or_null(record->config.algorithm);
    if (row == nullptr) continue;
    without_kernels.push_back(*row);
    without_kernels.back().compiled = nullptr;
    from_counts.push_back({row->name, &without_kernels.back(), record->config, &device});
    if (row->compiled) from_kernels.push_back({row->name, row, record->config, &device});
  }
  Sources sources;
  sources.records = &records;
  Schedule schedule;
  schedule.progress = [&](std::string_view name, double) {
    if (options.progress) options.progress(std::string(name));
  };
  std::vector<OwnScores> scores;
  const auto add = [&](const std::string& from, const std::vector<Run>& runs, bool compiled) {
    std::vector<Row> rows = evaluate(runs, sources, schedule);
    std::erase_if(rows, [&](const Row& row) {
      return !row.predicted || !row.measured || row.predicted_compiled != compiled;
    });
    if (!rows.empty()) scores.push_back(scores_of(from, rows));
  };
  add("counts", from_counts, false);
  add("compiled kernels", from_kernels, true);
  if (scores.empty()) {
    throw UsageError("no timed run of these files is of " + device.name +
                     " and of a row of this program: agpusim measure");
  }
  return scores;
}

report::Report to_report(const std::vector<OwnScores>& scores, const DeviceFile& device) {
  report::Report written{fmt::format("Predicted and measured times of runs on {}", device.name),
                         {}};
  report::Section& body = written.body;
  body.sentences = {
      "MAPE is the mean of |predicted / measured - 1|; median, 90 % and worst are of the same. "
      "Nothing is fitted to these runs."};
  std::vector<Line> all;
  for (const OwnScores& each : scores) all.push_back(each.all);
  report::Table table = report::table("scores", score_columns("predicted from"), all);
  table.csv = true;
  body.tables = {table};
  for (const OwnScores& each : scores) {
    if (each.contests.pairs > 0) {
      body.sentences.push_back(fmt::format(
          "Of {} pairs of runs with one result whose times differ by more than 10 %, {} name the "
          "faster one by {}.",
          each.contests.pairs, each.contests.right, each.from));
    }
    report::Section by_row;
    by_row.heading = "From " + each.from + ":";
    by_row.tables = {report::table(each.from == "counts" ? "from_counts" : "from_kernels",
                                   score_columns("row"), each.by_row)};
    written.body.sections.push_back(std::move(by_row));
  }
  return written;
}

}  // namespace agpusim::protocol
