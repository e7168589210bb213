#include "agpusim/validation/experiments/integer_sorts/detail/page.hpp"
#include "agpusim/validation/experiments/statistics/detail/nishimura_json.hpp"

namespace agpusim::nishimura {
namespace {

using agpusim::detail::log_axis;
using detail::Json;

/// Time over n: points "us" with a rule from "low" to "high" where they are given, lines
/// "predicted", a colour per "program".
Json panel_spec(const std::string& title, Json values, bool log_time = true) {
  const Json x = log_axis("n", "n (numbers)", "~s");
  const auto y = [&](const char* field) {
    Json axis = log_axis(field, "time (us)", "~g");
    if (!log_time) axis["scale"] = {{"zero", true}};
    return axis;
  };
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

/// One of the paper's figures 4.1 to 4.4 for one card: Ts and Tm over log N up to `most`, as it
/// draws them, from the tables.
Json figure_panel(const CardAccount& account, const std::string& figure, const std::string& problem,
                  std::int64_t most) {
  Json values = Json::array();
  const auto add = [&](const CrossFit& fit, const char* time) {
    for (const AccountRow& row : fit.rows) {
      if (row.problem != problem || row.n > most) continue;
      values.push_back({{"n", row.n},
                        {"program", time},
                        {"us", row.measured_us},
                        {"predicted", row.predicted_us}});
    }
  };
  add(account.single_by_n, "Ts, one thread");
  add(account.lg, "Tm, parallel");
  return panel_spec(figure + ", " + account.card.name, std::move(values), false);
}

Json figure_panels(const Account& account) {
  struct Figure {
    const char* name;
    const char* problem;
    std::int64_t most;
  };
  constexpr Figure figures[] = {{"Figure 4.1", "minmax", 1'000},
                                {"Figure 4.2", "minmax", 1'000'000},
                                {"Figure 4.3", "statistics", 1'000},
                                {"Figure 4.4", "statistics", 1'000'000}};
  Json panels = Json::array();
  for (const Figure& figure : figures) {
    for (const CardAccount& card : account.cards) {
      panels.push_back(figure_panel(card, figure.name, figure.problem, figure.most));
    }
  }
  return panels;
}

/// Relative error of the variance over mean / sigma, the variants side by side.
Json accuracy_panel(const std::vector<statistics::VarianceError>& rows, const std::string& type) {
  Json values = Json::array();
  for (const statistics::VarianceError& row : rows) {
    const double error = relative_error(row);
    if (row.type != type || !(error > 0)) continue;  // none on a logarithmic axis
    values.push_back({{"mean", row.mean_over_sigma}, {"error", error}, {"variant", row.variant}});
  }
  return {{"title", type},
          {"width", 320},
          {"height", 230},
          {"data", {{"values", std::move(values)}}},
          {"mark", {{"type", "line"}, {"point", true}}},
          {"encoding",
           {{"x", log_axis("mean", "mean / sigma", "~s")},
            {"y", log_axis("error", "relative error of the variance", "~e")},
            {"color", {{"field", "variant"}, {"type", "nominal"}, {"title", nullptr}}}}}};
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
    result.push_back(agpusim::detail::plot(
        "figures",
        "Figures 4.1 to 4.4 of the paper: points from its tables, lines predicted from the other "
        "problem",
        static_cast<int>(experiment.account.cards.size()), figure_panels(experiment.account)));
  }
  if (!experiment.accuracy.empty()) {
    result.push_back(agpusim::detail::plot(
        "variance", "The textbook formula of the variance beside merged squared deviations", 2,
        Json::array({accuracy_panel(experiment.accuracy, "f32"),
                     accuracy_panel(experiment.accuracy, "f64")})));
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
