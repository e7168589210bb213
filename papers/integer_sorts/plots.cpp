#include <algorithm>
#include <utility>

#include "agpusim/papers/integer_sorts/to_report.hpp"

namespace agpusim {
namespace {

constexpr const char* sorts[] = {"H-P", "1-H-P", "0-compressed", "run-head", "CUB", "CUB fitted"};

const char* shape_of(const std::string& team) {
  if (team == team::cub) return "square";
  return team == team::seed ? "triangle" : "circle";
}

/// The fastest contestant of a team's sort in a row.
const contest::PlannedRun* representative(const ExperimentRow& row, const std::string& team,
                                          const std::string& sort) {
  const contest::PlannedRun* best = nullptr;
  for (const contest::PlannedRun& entry : row.entries) {
    if (entry.contestant.team != team || entry.contestant.label != sort || !entry.measured) {
      continue;
    }
    if (best == nullptr || entry.measured->ms < best->measured->ms) best = &entry;
  }
  return best;
}

/// A series per team and sort; a colour per sort, a shape per team.
detail::PlotPanel panel_of(const std::string& title,
                           const std::vector<const ExperimentRow*>& rows) {
  detail::PlotPanel panel{title, "n (keys)", "time (ms)", {}};
  for (const std::string team : {team::cub, team::seed, team::ours}) {
    for (int color = 0; const std::string sort : sorts) {
      const std::string label = team == team::cub ? sort : sort + ", " + team;
      detail::PlotSeries series{label, color++, shape_of(team), team == team::cub};
      for (const ExperimentRow* const row : rows) {
        const auto n = static_cast<double>(row->cell.n);
        if (const contest::PlannedRun* const entry = representative(*row, team, sort)) {
          const Measurement& time = *entry->measured;
          series.points.push_back({n, time.ms, time.low_ms, time.high_ms});
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

/// A family as the name of a file: "len-range".
std::string name_of(std::string family) {
  std::replace_if(
      family.begin(), family.end(), [](char c) { return c == ' ' || c == '='; }, '-');
  family.erase(std::unique(family.begin(), family.end(),
                           [](char a, char b) { return a == '-' && b == '-'; }),
               family.end());
  return family;
}

}  // namespace

std::vector<detail::Plot> plots(const Experiment& experiment) {
  std::vector<detail::Plot> result;
  std::vector<const ExperimentRow*> panel;
  const auto flush = [&] {
    if (!panel.empty()) {
      const ExperimentCell& cell = panel.front()->cell;
      const std::string name = name_of(cell.family);
      if (result.empty() || result.back().name != name) {
        const int columns = cell.family == key_family::fixed_max_value ? 4 : 3;
        result.push_back({name, cell.title, columns, {}});
      }
      result.back().panels.push_back(panel_of(cell.panel, panel));
    }
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
  return result;
}

}  // namespace agpusim
