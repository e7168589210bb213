#include <algorithm>
#include <utility>

#include "agpusim/validation/experiments/integer_sorts/to_report.hpp"

namespace agpusim {
namespace {

constexpr const char* sorts[] = {"H-P", "1-H-P", "0-compressed", "run-head", "CUB", "CUB fitted"};

const char* shape_of(Team team) {
  switch (team) {
    case Team::cub:
      return "square";
    case Team::seed:
      return "triangle";
    case Team::ours:
      break;
  }
  return "circle";
}

/// The fastest contestant of a team's sort in a row.
const ExperimentEntry* representative(const ExperimentRow& row, Team team,
                                      const std::string& sort) {
  const ExperimentEntry* best = nullptr;
  for (const ExperimentEntry& entry : row.entries) {
    if (entry.contestant.team != team || entry.contestant.sort != sort || !entry.measured_ms) {
      continue;
    }
    if (best == nullptr || *entry.measured_ms < *best->measured_ms) best = &entry;
  }
  return best;
}

/// A series per team and sort; a colour per sort, a shape per team.
detail::PlotPanel panel_of(const std::string& title,
                           const std::vector<const ExperimentRow*>& rows) {
  detail::PlotPanel panel{title, "n (keys)", "time (ms)", {}};
  for (const Team team : {Team::cub, Team::seed, Team::ours}) {
    for (int color = 0; const std::string sort : sorts) {
      const std::string label = team == Team::cub ? sort : sort + ", " + to_string(team);
      detail::PlotSeries series{label, color++, shape_of(team), team == Team::cub};
      for (const ExperimentRow* const row : rows) {
        const auto n = static_cast<double>(row->cell.n);
        if (const ExperimentEntry* const entry = representative(*row, team, sort)) {
          series.points.push_back(
              {n, *entry->measured_ms, entry->measured_low_ms, entry->measured_high_ms});
        }
        if (const auto time = predicted_ms(*row, team, sort)) series.line.push_back({n, *time});
      }
      if (!series.points.empty() || !series.line.empty()) {
        panel.series.push_back(std::move(series));
      }
    }
  }
  return panel;
}

}  // namespace

std::vector<detail::Plot> plots(const Experiment& experiment) {
  std::vector<detail::Plot> result;
  for (const KeyFamily family : {KeyFamily::distinct, KeyFamily::duplicates, KeyFamily::fixed_len,
                                 KeyFamily::full_range, KeyFamily::fixed_max_value}) {
    std::vector<detail::PlotPanel> panels;
    std::vector<const ExperimentRow*> panel;
    const auto flush = [&] {
      if (!panel.empty()) panels.push_back(panel_of(panel.front()->cell.panel, panel));
      panel.clear();
    };
    for (const ExperimentRow& row : experiment.rows) {
      if (row.cell.family != family) continue;
      if (!panel.empty() && panel.front()->cell.panel != row.cell.panel) flush();
      panel.push_back(&row);
    }
    flush();
    if (panels.empty()) continue;
    std::string name = to_string(family);
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ' ' || c == '='; }, '-');
    name.erase(
        std::unique(name.begin(), name.end(), [](char a, char b) { return a == '-' && b == '-'; }),
        name.end());
    const int columns = family == KeyFamily::fixed_max_value ? 4 : 3;
    result.push_back({name, describe(family), columns, std::move(panels)});
  }
  return result;
}

}  // namespace agpusim
