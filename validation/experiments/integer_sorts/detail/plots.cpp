#include <algorithm>

#include "agpusim/validation/experiments/integer_sorts/detail/experiment_json.hpp"
#include "agpusim/validation/experiments/integer_sorts/detail/page.hpp"

namespace agpusim::detail {
namespace {

constexpr const char* sorts[] = {"CUB", "CUB fitted", "H-P", "1-H-P", "0-compressed", "run-head"};
constexpr const char* colors[] = {"#3f3f46", "#9ca3af", "#1f5fbf", "#c2410c", "#15803d", "#a21caf"};

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

/// The points of a panel: one object per n, team and sort.
Json points(const std::vector<const ExperimentRow*>& rows) {
  Json values = Json::array();
  for (const ExperimentRow* const row : rows) {
    for (const Team team : {Team::cub, Team::seed, Team::ours}) {
      for (const std::string sort : sorts) {
        Json point = {{"n", row->cell.n}, {"sort", sort}, {"team", to_string(team)}};
        if (const ExperimentEntry* const entry = representative(*row, team, sort)) {
          point["ms"] = *entry->measured_ms;
          point["low"] = entry->measured_low_ms;
          point["high"] = entry->measured_high_ms;
        }
        if (const auto time = predicted_ms(*row, team, sort)) point["predicted"] = *time;
        if (point.contains("ms") || point.contains("predicted")) values.push_back(point);
      }
    }
  }
  return values;
}

Json time_axis(const char* field) { return log_axis(field, "time (ms)", "~g"); }

Json panel_spec(const std::string& title, const std::vector<const ExperimentRow*>& rows) {
  const Json x = log_axis("n", "n (keys)", "~s");
  const Json color = {{"field", "sort"},
                      {"type", "nominal"},
                      {"title", "sort"},
                      {"scale", {{"domain", sorts}, {"range", colors}}}};
  const Json shape = {
      {"field", "team"},
      {"type", "nominal"},
      {"title", "measured"},
      {"scale",
       {{"domain", {"cub", "seed", "ours"}}, {"range", {"square", "triangle-up", "circle"}}}}};
  const Json dash = {{"condition", {{"test", "datum.team === 'cub'"}, {"value", {4, 3}}}},
                     {"value", {1, 0}}};
  const auto where = [](const char* field) {
    return Json::array({{{"filter", std::string("isValid(datum.") + field + ")"}}});
  };
  return {
      {"title", title},
      {"width", 250},
      {"height", 190},
      {"data", {{"values", points(rows)}}},
      {"layer",
       {{{"transform", where("predicted")},
         {"mark", {{"type", "line"}, {"strokeWidth", 1.5}}},
         {"encoding",
          {{"x", x},
           {"y", time_axis("predicted")},
           {"color", color},
           {"strokeDash", dash},
           {"detail", {{"field", "team"}}}}}},
        {{"transform", where("ms")},
         {"mark", {{"type", "rule"}}},
         {"encoding",
          {{"x", x}, {"y", time_axis("low")}, {"y2", {{"field", "high"}}}, {"color", color}}}},
        {{"transform", where("ms")},
         {"mark", {{"type", "point"}, {"size", 34}, {"strokeWidth", 1.2}}},
         {"encoding", {{"x", x}, {"y", time_axis("ms")}, {"color", color}, {"shape", shape}}}}}}};
}

}  // namespace

Json plots(const Experiment& experiment) {
  Json result = Json::array();
  for (const KeyFamily family : {KeyFamily::distinct, KeyFamily::duplicates, KeyFamily::fixed_len,
                                 KeyFamily::full_range, KeyFamily::fixed_max_value}) {
    Json panels = Json::array();
    std::vector<const ExperimentRow*> panel;
    const auto flush = [&] {
      if (!panel.empty()) panels.push_back(panel_spec(panel.front()->cell.panel, panel));
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
    result.push_back(
        plot(name, describe(family), family == KeyFamily::fixed_max_value ? 4 : 3, panels));
  }
  return result;
}

}  // namespace agpusim::detail
