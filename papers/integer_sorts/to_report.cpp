#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "agpusim/papers/common/paper_json.hpp"
#include "agpusim/papers/integer_sorts/experiment.hpp"
#include "agpusim/validation/records/run_json.hpp"

namespace agpusim {
namespace {

using contest::Event;
using report::Column;
using report::Format;
using report::Section;
using report::Value;

/// Columns that each table with inputs has; `input(row)` finds the input.
template <class Row, class InputOf>
std::vector<Column<Row>> input_columns(InputOf input) {
  return {{{"family", ""}, [=](const Row& row) { return input(row).panel.family; }},
          {{"panel", ""}, [=](const Row& row) { return input(row).panel.name; }},
          {{"n", "n", Format::integer}, [=](const Row& row) { return input(row).n; }},
          {{"range", ""}, [=](const Row& row) { return input(row).keys().range; }},
          {{"len", ""}, [=](const Row& row) { return input(row).keys().len; }},
          {{"input", ""}, [=](const Row& row) { return input(row).panel.input; }}};
}

const std::vector<Column<Event>>& cell_columns() {
  static const std::vector<Column<Event>> all = [] {
    auto columns = input_columns<Event>([](const Event& input) -> const Event& { return input; });
    const auto add = [&](const char* title, const char* team, const char* sort, auto* time_of) {
      columns.push_back({{"", title, Format::decimal}, [=](const Event& input) {
                           return report::value_or_null(time_of(input, team, sort));
                         }});
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
    const auto add_verdict = [&](const char* key, const char* title, const char* peer) {
      columns.push_back({{key, ""}, [peer](const Event& input) -> Value {
                           const auto found = verdict(input, peer);
                           if (!found) return nullptr;
                           return {{"predicted_winner", found->predicted_winner},
                                   {"measured_winner", found->measured_winner},
                                   {"loss", found->loss}};
                         }});
      columns.push_back({{"", title, Format::right}, [peer](const Event& input) -> Value {
                           const auto found = verdict(input, peer);
                           if (!found) return nullptr;
                           const auto& [predicted, measured, loss] = *found;
                           if (predicted == measured) return measured;
                           return fmt::format("{}, not {} (+{:.0f} %)", measured, predicted,
                                              100 * loss);
                         }});
    };
    add_verdict("against_cub", "fastest", "CUB");
    add_verdict("against_fitted", "against fitted", "CUB fitted");
    return columns;
  }();
  return all;
}

/// For programs: a line for each contestant on each input.
report::Table times_table(const std::vector<Event>& inputs) {
  using contest::Line;
  auto columns = input_columns<Line>([](const Line& line) -> const Event& { return *line.event; });
  const auto add = [&](const char* key, auto get) {
    columns.push_back({{key, ""}, [get](const Line& line) { return Value(get(*line.run)); }});
  };
  using Run = contest::PlannedRun;
  const auto of_time = [](auto member) {
    return [member](const Run& run) {
      return run.measured ? Value((*run.measured).*member) : Value();
    };
  };
  add("team", [](const Run& run) { return run.contestant.team; });
  add("sort", [](const Run& run) { return run.contestant.label; });
  add("algorithm", [](const Run& run) { return run.contestant.algorithm; });
  add("variant", [](const Run& run) { return run.contestant.variant; });
  add("measured_ms", of_time(&Measurement::ms));
  add("measured_low_ms", of_time(&Measurement::low_ms));
  add("measured_high_ms", of_time(&Measurement::high_ms));
  add("samples", of_time(&Measurement::samples));
  add("predicted_ms", [](const Run& run) { return report::value_or_null(run.predicted_ms); });
  add("limit", [](const Run& run) { return run.predicted_ms ? Value(run.limit) : Value(); });
  report::Table table = report::table("times", columns, contest::lines_of(inputs));
  table.csv = true;
  table.for_reader = false;
  return table;
}

constexpr const char* sorts[] = {"H-P", "1-H-P", "0-compressed", "run-head", "CUB", "CUB fitted"};

const char* shape_of(const std::string& team) {
  if (team == team::cub) return "square";
  return team == team::seed ? "triangle" : "circle";
}

/// The fastest contestant of a team's sort on an input.
const contest::PlannedRun* representative(const Event& input, const std::string& team,
                                          const std::string& sort) {
  const contest::PlannedRun* best = nullptr;
  for (const contest::PlannedRun& run : input.runs) {
    if (run.contestant.team != team || run.contestant.label != sort || !run.measured) continue;
    if (best == nullptr || run.measured->ms < best->measured->ms) best = &run;
  }
  return best;
}

/// A series per team and sort; a colour per sort, a shape per team.
detail::PlotPanel panel_of(const std::string& title, std::span<const Event> inputs) {
  detail::PlotPanel panel{title, "n (keys)", "time (ms)", {}};
  for (const std::string team : {team::cub, team::seed, team::ours}) {
    for (int color = 0; const std::string sort : sorts) {
      const std::string label = team == team::cub ? sort : sort + ", " + team;
      detail::PlotSeries series{label, color++, shape_of(team), team == team::cub};
      for (const Event& input : inputs) {
        const auto n = static_cast<double>(input.n);
        if (const contest::PlannedRun* const run = representative(input, team, sort)) {
          const Measurement& time = *run->measured;
          series.points.push_back({n, time.ms, time.low_ms, time.high_ms});
        }
        if (const auto time = predicted_ms(input, team, sort)) series.line.push_back({n, *time});
      }
      if (!series.points.empty() || !series.line.empty()) {
        panel.series.push_back(std::move(series));
      }
    }
  }
  return panel;
}

/// A family as the name of a file: "len-range".
std::string name_of(std::string family) {
  std::replace_if(
      family.begin(), family.end(), [](char c) { return c == ' ' || c == '='; }, '-');
  family.erase(std::unique(family.begin(), family.end(),
                           [](char a, char b) { return a == '-' && b == '-'; }),
               family.end());
  return family;
}

/// One per family of keys that has times: a panel per pair of delta, sigma or len, time over n,
/// marks measured, lines predicted (solid: from counts; dashed: calibrated).
std::vector<detail::Plot> plots(const std::vector<Event>& inputs) {
  std::vector<detail::Plot> result;
  for (const std::span<const Event> inputs_of : contest::by_panel(inputs)) {
    const contest::Panel& panel = inputs_of.front().panel;
    const std::string name = name_of(panel.family);
    if (result.empty() || result.back().name != name) {
      const int columns = panel.family == "fixed maxVal" ? 4 : 3;
      result.push_back({name, panel.title, columns, {}});
    }
    result.back().panels.push_back(panel_of(panel.name, inputs_of));
  }
  return result;
}

/// A section for readers per panel.
Section cells_section(const std::vector<Event>& inputs) {
  Section section;
  for (const std::span<const Event> panel : contest::by_panel(inputs)) {
    Section& one = section.sections.emplace_back();
    one.heading = fmt::format("{}: {} (ms)", panel.front().panel.family, panel.front().panel.name);
    one.tables = {report::table("", cell_columns(), panel)};
    one.tables.front().without_empty_columns = true;
  }
  section.tables = {report::table("cells", cell_columns(), inputs), times_table(inputs)};
  section.tables.front().for_reader = false;
  section.plots = plots(inputs);
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
      {{"times", "times of"}, &Judgement::times},
      {{"verdict", "verdict"},
       [](const Judgement& judgement) { return to_string(judgement.verdict); }},
      {{"held", "places", Format::integer}, &Judgement::held},
      {{"checked", "of", Format::integer}, &Judgement::checked},
      {{"numbers", "found"}, &Judgement::numbers}};
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

Section scores_section(const std::vector<Event>& inputs) {
  const std::vector<ExperimentScore> scores = {score(inputs, "CUB"), score(inputs, "CUB fitted")};
  const std::vector<Column<ExperimentScore>> columns = {
      {{"peer", ""}, &ExperimentScore::peer},
      {{"cells", ""}, &ExperimentScore::cells},
      {{"right", ""}, &ExperimentScore::right},
      {{"near", ""}, &ExperimentScore::near},
      {{"side", ""}, &ExperimentScore::side},
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

report::Report to_report(const contest::Contest& contest) {
  const Environment& environment = contest.environment;
  report::Report report;
  report.json_plots = true;
  report.title =
      fmt::format("Kozakai 2022 (seed 000) on {} (driver {}, CUDA {}, CCCL {})", environment.device,
                  environment.driver, environment.cuda, environment.cccl);
  Section first;
  first.sentences = {fmt::format("{} inputs; {} runs are not measured", contest.events.size(),
                                 contest.unmeasured)};
  if (contest.unpredicted > 0) {
    first.sentences.push_back(
        fmt::format("{} runs are not predicted: their counts depend on keys that are too many to "
                    "simulate, and are not stored (`agpusim count` stores them)",
                    contest.unpredicted));
  }
  if (contest.foreign > 0) {
    first.sentences.push_back(
        fmt::format("{} records belong to no run of this experiment", contest.foreign));
  }
  first.facts = {{{"experiment", ""}, "integer-sorts"},
                 {{"generated", ""}, contest.generated},
                 {{"environment", ""}, detail::encode(environment)},
                 {{"unmeasured", ""}, contest.unmeasured},
                 {{"unpredicted", ""}, contest.unpredicted},
                 {{"foreign", ""}, contest.foreign}};
  report.body.sections = {std::move(first), cells_section(contest.events),
                          findings_section(integer_sorts_findings(
                              contest.events, paper_file("integer_sorts/findings.json"))),
                          scores_section(contest.events)};
  return report;
}

}  // namespace agpusim
