#include <algorithm>

#include <fmt/format.h>

#include "agpusim/validation/experiments/integer_sorts/writers.hpp"
#include "agpusim/validation/report/text_table.hpp"

namespace agpusim {
namespace {

/// A column of the cell tables: a team's sort.
struct Column {
  std::string title;
  Team team;
  std::string sort;
  bool predicted;  ///< else measured
};

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"CUB", Team::cub, "CUB", false},
      {"calib.", Team::cub, "CUB", true},
      {"fitted", Team::cub, "CUB fitted", false},
      {"calib.", Team::cub, "CUB fitted", true},
      {"seed H-P", Team::seed, "H-P", false},
      {"seed 1-H-P", Team::seed, "1-H-P", false},
      {"seed 0-c", Team::seed, "0-compressed", false},
      {"H-P", Team::ours, "H-P", false},
      {"pred.", Team::ours, "H-P", true},
      {"1-H-P", Team::ours, "1-H-P", false},
      {"pred.", Team::ours, "1-H-P", true},
      {"0-c", Team::ours, "0-compressed", false},
      {"pred.", Team::ours, "0-compressed", true},
      {"run-head", Team::ours, "run-head", false},
      {"pred.", Team::ours, "run-head", true},
  };
  return all;
}

std::optional<double> value(const Column& column, const ExperimentRow& row) {
  return column.predicted ? predicted_ms(row, column.team, column.sort)
                          : measured_ms(row, column.team, column.sort);
}

std::string winner_text(const std::optional<ExperimentVerdict>& verdict) {
  if (!verdict) return "-";
  if (verdict->predicted_winner == verdict->measured_winner) return verdict->measured_winner;
  return fmt::format("{}, not {} (+{:.0f} %)", verdict->measured_winner, verdict->predicted_winner,
                     100 * verdict->loss);
}

/// The rows of one panel, without the columns that are empty in all of them.
std::string panel_table(const std::vector<const ExperimentRow*>& rows) {
  std::vector<const Column*> used;
  for (const Column& column : columns()) {
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const ExperimentRow* row) { return value(column, *row).has_value(); })) {
      used.push_back(&column);
    }
  }
  std::vector<std::string> header = {"n"};
  for (const Column* const column : used) header.push_back(column->title);
  header.insert(header.end(), {"fastest", "against fitted"});
  std::vector<std::vector<std::string>> lines;
  for (const ExperimentRow* const row : rows) {
    std::vector<std::string> line = {detail::integer_text(row->cell.n)};
    for (const Column* const column : used) {
      const auto time = value(*column, *row);
      line.push_back(time ? detail::decimal_text(*time) : "-");
    }
    line.push_back(winner_text(row->against_cub));
    line.push_back(winner_text(row->against_fitted));
    lines.push_back(std::move(line));
  }
  return detail::text_table(header, lines, 0);
}

std::string cells_text(const Experiment& experiment) {
  std::string text;
  std::vector<const ExperimentRow*> panel;
  const auto flush = [&] {
    if (panel.empty()) return;
    text += fmt::format("\n{}: {} (ms)\n{}", to_string(panel.front()->cell.family),
                        panel.front()->cell.panel, panel_table(panel));
    panel.clear();
  };
  for (const ExperimentRow& row : experiment.rows) {
    if (!panel.empty() && (panel.front()->cell.family != row.cell.family ||
                           panel.front()->cell.panel != row.cell.panel)) {
      flush();
    }
    panel.push_back(&row);
  }
  flush();
  return text;
}

std::string findings_text(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += fmt::format("\n{} {}\n", finding.section, finding.statement);
    for (const Judgement& judgement : finding.judgements) {
      text += fmt::format("  {:<17} {:<15} {:>3} of {:<3}  {}\n", judgement.times,
                          to_string(judgement.verdict), judgement.held, judgement.checked,
                          judgement.numbers);
    }
  }
  return text;
}

std::string scores_text(const std::vector<ExperimentScore>& scores) {
  std::string text;
  for (const ExperimentScore& score : scores) {
    if (score.cells == 0) {
      text += fmt::format("against {}: no input has all times and predictions\n", score.peer);
      continue;
    }
    const auto share = [&](std::int64_t count) {
      return 100 * static_cast<double>(count) / static_cast<double>(score.cells);
    };
    text += fmt::format(
        "against {}: the predicted winner is the measured one for {} of {} inputs ({:.0f} %), or "
        "within 5 % of it for {} ({:.0f} %); whether {} wins is predicted for {} ({:.0f} %)",
        score.peer, score.right, score.cells, share(score.right), score.near, share(score.near),
        score.peer, score.side, share(score.side));
    if (score.spearman) {
      text +=
          fmt::format("; rank correlation of our H-P / {}: {:.3f}", score.peer, *score.spearman);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::string to_text(const Experiment& experiment) {
  std::string text = fmt::format(
      "Kozakai 2022 (seed 000) on {} (driver {}, CUDA {}, CCCL {})\n{} inputs; {} runs are not "
      "measured\n",
      experiment.environment.device, experiment.environment.driver, experiment.environment.cuda,
      experiment.environment.cccl, experiment.rows.size(), experiment.unmeasured);
  if (experiment.foreign > 0) {
    text += fmt::format("{} records belong to no run of this experiment\n", experiment.foreign);
  }
  text += cells_text(experiment);
  text += "\nThe paper says, and what became of it\n" + findings_text(experiment.findings);
  text +=
      "\nOur sorts are predicted from counts; CUB's time is calibrated by runs of its own, not "
      "counted.\n";
  return text + scores_text(experiment.scores);
}

}  // namespace agpusim
