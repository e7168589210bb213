#include <algorithm>
#include <utility>

#include "agpusim/papers/integer_sorts/experiment.hpp"

namespace agpusim {
namespace {

using contest::Event;

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

}  // namespace

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

}  // namespace agpusim
