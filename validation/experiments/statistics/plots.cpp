#include "agpusim/validation/experiments/integer_sorts/detail/page.hpp"
#include "agpusim/validation/experiments/statistics/detail/nishimura_json.hpp"

namespace agpusim::nishimura {
namespace {

using agpusim::detail::log_axis;
using detail::Json;

/// Time over n: points "us" with a rule from "low" to "high" where they are given, lines
/// "predicted", a colour per "program".
Json panel_spec(const std::string& title, Json values) {
  const Json x = log_axis("n", "n (numbers)", "~s");
  const auto y = [](const char* field) { return log_axis(field, "time (us)", "~g"); };
  const Json color = {{"field", "program"},
                      {"type", "nominal"},
                      {"title", nullptr},
                      {"legend", {{"orient", "bottom"}, {"columns", 4}}}};
  const auto where = [](const char* field) {
    return Json::array({{{"filter", std::string("isValid(datum.") + field + ")"}}});
  };
  return {
      {"title", title},
      {"width", 320},
      {"height", 230},
      {"data", {{"values", std::move(values)}}},
      {"layer",
       {{{"transform", where("predicted")},
         {"mark", {{"type", "line"}, {"strokeWidth", 1.5}}},
         {"encoding", {{"x", x}, {"y", y("predicted")}, {"color", color}}}},
        {{"transform", where("low")},
         {"mark", {{"type", "rule"}}},
         {"encoding", {{"x", x}, {"y", y("low")}, {"y2", {{"field", "high"}}}, {"color", color}}}},
        {{"transform", where("us")},
         {"mark", {{"type", "point"}, {"size", 34}, {"strokeWidth", 1.2}}},
         {"encoding", {{"x", x}, {"y", y("us")}, {"color", color}}}}}}};
}

void add_points(Json& values, const CrossFit& fit, const char* time) {
  for (const AccountRow& row : fit.rows) {
    values.push_back({{"n", row.n},
                      {"program", row.problem + ", " + time},
                      {"us", row.measured_us},
                      {"predicted", row.predicted_us}});
  }
}

Json account_panel(const CardAccount& account) {
  Json values = Json::array();
  add_points(values, account.lg, "Tm");
  add_points(values, account.single_by_n, "Ts");
  return panel_spec(account.card.name, std::move(values));
}

Json comparison_panel(const PanelResult& result) {
  Json values = Json::array();
  for (const PanelRow& row : result.rows) {
    for (const PanelEntry& entry : row.entries) {
      Json point = {{"n", row.n}, {"program", entry.contestant.label}};
      if (entry.measured_us) {
        point["us"] = *entry.measured_us;
        point["low"] = entry.measured_low_us;
        point["high"] = entry.measured_high_us;
      }
      if (entry.predicted_us) point["predicted"] = *entry.predicted_us;
      if (point.size() > 2) values.push_back(std::move(point));
    }
  }
  return panel_spec(result.panel.title, std::move(values));
}

}  // namespace

detail::Json detail::plots(const Experiment& experiment) {
  Json result = Json::array();
  Json cards = Json::array();
  for (const CardAccount& account : experiment.account.cards) {
    cards.push_back(account_panel(account));
  }
  if (!cards.empty()) {
    result.push_back(agpusim::detail::plot(
        "account", "The paper's times: points measured, lines predicted from the other problem", 3,
        std::move(cards)));
  }
  if (!experiment.comparison) return result;
  Json panels = Json::array();
  for (const PanelResult& panel : experiment.comparison->panels) {
    if (!panel.rows.empty()) panels.push_back(comparison_panel(panel));
  }
  if (!panels.empty()) {
    Json plot =
        agpusim::detail::plot("panels",
                              "The programs on " + experiment.comparison->environment.device +
                                  ": points measured, lines predicted from counts",
                              2, std::move(panels));
    // Each panel has programs of its own.
    plot["spec"]["resolve"] = {{"scale", {{"color", "independent"}}}};
    result.push_back(std::move(plot));
  }
  return result;
}

}  // namespace agpusim::nishimura
