#include "agpusim/papers/integer_sorts/to_report.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "agpusim/validation/records/run_json.hpp"

namespace agpusim {
namespace {

using report::Column;
using report::Format;
using report::Section;
using report::Value;

/// Columns that each table with the input of a cell has; `cell(row)` finds the cell.
template <class Row, class CellOf>
std::vector<Column<Row>> input_columns(CellOf cell) {
  return {{{"family", ""}, [cell](const Row& row) { return cell(row).family; }},
          {{"panel", ""}, [cell](const Row& row) { return cell(row).panel; }},
          {{"n", "n", Format::integer}, [cell](const Row& row) { return cell(row).n; }},
          {{"range", ""}, [cell](const Row& row) { return cell(row).range; }},
          {{"len", ""}, [cell](const Row& row) { return cell(row).len; }},
          {{"input", ""}, [cell](const Row& row) { return cell(row).input; }}};
}

/// A team's sort for readers.
Column<ExperimentRow> time_column(const char* title, const char* team, const char* sort,
                                  decltype(measured_ms)* time_of) {
  return {{"", title, Format::decimal}, [team, sort, time_of](const ExperimentRow& row) {
            return report::value_or_null(time_of(row, team, sort));
          }};
}

Value winner_text(const std::optional<ExperimentVerdict>& verdict) {
  if (!verdict) return nullptr;
  if (verdict->predicted_winner == verdict->measured_winner) return verdict->measured_winner;
  return fmt::format("{}, not {} (+{:.0f} %)", verdict->measured_winner, verdict->predicted_winner,
                     100 * verdict->loss);
}

using Verdict_of = std::optional<ExperimentVerdict> ExperimentRow::*;

Value encode(const std::optional<ExperimentVerdict>& verdict) {
  if (!verdict) return nullptr;
  return {{"predicted_winner", verdict->predicted_winner},
          {"measured_winner", verdict->measured_winner},
          {"loss", verdict->loss}};
}

const std::vector<Column<ExperimentRow>>& cell_columns() {
  static const std::vector<Column<ExperimentRow>> all = [] {
    auto columns = input_columns<ExperimentRow>(
        [](const ExperimentRow& row) -> const ExperimentCell& { return row.cell; });
    const auto add = [&](const char* title, const char* team, const char* sort, auto* time_of) {
      columns.push_back(time_column(title, team, sort, time_of));
    };
    add("CUB", team::cub, "CUB", measured_ms);
    add("calib.", team::cub, "CUB", predicted_ms);
    add("fitted", team::cub, "CUB fitted", measured_ms);
    add("calib.", team::cub, "CUB fitted", predicted_ms);
    add("seed H-P", team::seed, "H-P", measured_ms);
    add("seed 1-H-P", team::seed, "1-H-P", measured_ms);
    add("seed 0-c", team::seed, "0-compressed", measured_ms);
    for (const auto& [title, sort] : {std::pair{"H-P", "H-P"},
                                      {"1-H-P", "1-H-P"},
                                      {"0-c", "0-compressed"},
                                      {"run-head", "run-head"}}) {
      add(title, team::ours, sort, measured_ms);
      add("pred.", team::ours, sort, predicted_ms);
    }
    const auto add_verdict = [&](const char* key, const char* title, Verdict_of member) {
      columns.push_back(
          {{key, ""}, [member](const ExperimentRow& row) { return encode(row.*member); }});
      columns.push_back({{"", title, Format::right},
                         [member](const ExperimentRow& row) { return winner_text(row.*member); }});
    };
    add_verdict("against_cub", "fastest", &ExperimentRow::against_cub);
    add_verdict("against_fitted", "against fitted", &ExperimentRow::against_fitted);
    return columns;
  }();
  return all;
}

/// A contestant in a cell.
struct Time {
  const ExperimentCell* cell;
  const contest::PlannedRun* entry;
};

/// For programs: a line for each.
report::Table times_table(const Experiment& experiment) {
  std::vector<Time> times;
  for (const ExperimentRow& row : experiment.rows) {
    for (const contest::PlannedRun& entry : row.entries) times.push_back({&row.cell, &entry});
  }
  auto columns =
      input_columns<Time>([](const Time& time) -> const ExperimentCell& { return *time.cell; });
  const auto add = [&](const char* key, auto get) {
    columns.push_back({{key, ""}, [get](const Time& time) { return Value(get(*time.entry)); }});
  };
  using Entry = contest::PlannedRun;
  const auto of_time = [](auto member) {
    return [member](const Entry& e) { return e.measured ? Value((*e.measured).*member) : Value(); };
  };
  add("team", [](const Entry& entry) { return entry.contestant.team; });
  add("sort", [](const Entry& entry) { return entry.contestant.label; });
  add("algorithm", [](const Entry& entry) { return entry.contestant.algorithm; });
  add("variant", [](const Entry& entry) { return entry.contestant.variant; });
  add("measured_ms", of_time(&Measurement::ms));
  add("measured_low_ms", of_time(&Measurement::low_ms));
  add("measured_high_ms", of_time(&Measurement::high_ms));
  add("samples", of_time(&Measurement::samples));
  add("predicted_ms", [](const Entry& entry) { return report::value_or_null(entry.predicted_ms); });
  add("limit",
      [](const Entry& entry) { return entry.predicted_ms ? Value(entry.limit) : Value(); });
  report::Table table = report::table("times", columns, times);
  table.csv = true;
  table.for_reader = false;
  return table;
}

/// The inputs of one panel for readers.
Section panel_section(const std::vector<ExperimentRow>& rows) {
  Section section;
  const ExperimentCell& cell = rows.front().cell;
  section.heading = fmt::format("{}: {} (ms)", cell.family, cell.panel);
  section.tables = {report::table("", cell_columns(), rows)};
  section.tables.front().without_empty_columns = true;
  return section;
}

Section cells_section(const Experiment& experiment) {
  Section section;
  std::vector<ExperimentRow> panel;
  for (const ExperimentRow& row : experiment.rows) {
    if (!panel.empty() && (panel.front().cell.family != row.cell.family ||
                           panel.front().cell.panel != row.cell.panel)) {
      section.sections.push_back(panel_section(panel));
      panel.clear();
    }
    panel.push_back(row);
  }
  if (!panel.empty()) section.sections.push_back(panel_section(panel));
  section.tables = {report::table("cells", cell_columns(), experiment.rows),
                    times_table(experiment)};
  section.tables.front().for_reader = false;
  section.plots = plots(experiment);
  return section;
}

/// A line for each finding for readers: how often it holds by each set of times.
report::Table findings_table(const std::vector<Finding>& findings) {
  report::Table table{"", {{"", "section"}, {"", "the paper says"}}, {}};
  for (const Finding& finding : findings) {
    auto& cells = table.rows.emplace_back();
    cells = {finding.section, finding.statement};
    for (const Judgement& judgement : finding.judgements) {
      if (table.rows.size() == 1) table.columns.push_back({"", judgement.times});
      const std::string places =
          judgement.checked == 0 ? "" : fmt::format(" {}/{}", judgement.held, judgement.checked);
      cells.emplace_back(to_string(judgement.verdict) + places);
    }
  }
  return table;
}

Section findings_section(const std::vector<Finding>& findings) {
  const std::vector<Column<Judgement>> columns = {
      {{"times", "times of"}, [](const Judgement& judgement) { return judgement.times; }},
      {{"verdict", "verdict"},
       [](const Judgement& judgement) { return to_string(judgement.verdict); }},
      {{"held", "places", Format::integer},
       [](const Judgement& judgement) { return judgement.held; }},
      {{"checked", "of", Format::integer},
       [](const Judgement& judgement) { return judgement.checked; }},
      {{"numbers", "found"}, [](const Judgement& judgement) { return judgement.numbers; }}};
  Section section;
  section.heading = "The paper says, and what became of it";
  section.tables = {findings_table(findings)};
  for (const Finding& finding : findings) {
    Section& one = section.sections.emplace_back();
    one.key = "findings";
    one.list = true;
    one.sentences = {fmt::format("{} {}", finding.section, finding.statement)};
    one.facts = {{{"section", ""}, finding.section}, {{"statement", ""}, finding.statement}};
    one.tables = {report::table("judgements", columns, finding.judgements)};
  }
  return section;
}

std::string sentence(const ExperimentScore& score) {
  if (score.cells == 0) {
    return fmt::format("against {}: no input has all times and predictions", score.peer);
  }
  const auto share = [&](std::int64_t count) {
    return 100 * static_cast<double>(count) / static_cast<double>(score.cells);
  };
  std::string text = fmt::format(
      "against {}: the predicted winner is the measured one for {} of {} inputs ({:.0f} %), or "
      "within 5 % of it for {} ({:.0f} %); whether {} wins is predicted for {} ({:.0f} %)",
      score.peer, score.right, score.cells, share(score.right), score.near, share(score.near),
      score.peer, score.side, share(score.side));
  if (score.spearman) {
    text += fmt::format("; rank correlation of our H-P / {}: {:.3f}", score.peer, *score.spearman);
  }
  return text;
}

Section scores_section(const std::vector<ExperimentScore>& scores) {
  const std::vector<Column<ExperimentScore>> columns = {
      {{"peer", ""}, [](const ExperimentScore& score) { return score.peer; }},
      {{"cells", ""}, [](const ExperimentScore& score) { return score.cells; }},
      {{"right", ""}, [](const ExperimentScore& score) { return score.right; }},
      {{"near", ""}, [](const ExperimentScore& score) { return score.near; }},
      {{"side", ""}, [](const ExperimentScore& score) { return score.side; }},
      {{"spearman", ""},
       [](const ExperimentScore& score) { return report::value_or_null(score.spearman); }}};
  Section section;
  section.sentences = {
      "Our sorts are predicted from counts; CUB's time is calibrated by runs of its own, not "
      "counted."};
  for (const ExperimentScore& score : scores) section.sentences.push_back(sentence(score));
  section.tables = {report::table("scores", columns, scores)};
  section.tables.front().for_reader = false;
  return section;
}

}  // namespace

report::Report to_report(const Experiment& experiment) {
  const Environment& environment = experiment.environment;
  report::Report report;
  report.json_plots = true;
  report.title =
      fmt::format("Kozakai 2022 (seed 000) on {} (driver {}, CUDA {}, CCCL {})", environment.device,
                  environment.driver, environment.cuda, environment.cccl);
  Section first;
  first.sentences = {fmt::format("{} inputs; {} runs are not measured", experiment.rows.size(),
                                 experiment.unmeasured)};
  if (experiment.unpredicted > 0) {
    first.sentences.push_back(
        fmt::format("{} runs are not predicted: their counts depend on keys that are too many to "
                    "simulate, and are not stored (`agpusim count` stores them)",
                    experiment.unpredicted));
  }
  if (experiment.foreign > 0) {
    first.sentences.push_back(
        fmt::format("{} records belong to no run of this experiment", experiment.foreign));
  }
  first.facts = {{{"experiment", ""}, "integer-sorts"},
                 {{"generated", ""}, experiment.generated},
                 {{"environment", ""}, detail::encode(environment)},
                 {{"unmeasured", ""}, experiment.unmeasured},
                 {{"unpredicted", ""}, experiment.unpredicted},
                 {{"foreign", ""}, experiment.foreign}};
  report.body.sections = {std::move(first), cells_section(experiment),
                          findings_section(experiment.findings), scores_section(experiment.scores)};
  return report;
}

}  // namespace agpusim
