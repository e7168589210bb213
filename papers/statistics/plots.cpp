#include <algorithm>
#include <limits>
#include <utility>

#include "agpusim/papers/statistics/experiment.hpp"

namespace agpusim::statistics_experiment {
namespace {

using agpusim::detail::Plot;
using agpusim::detail::PlotPanel;
using agpusim::detail::PlotSeries;

PlotPanel empty_panel(const std::string& title) { return {title, "n (numbers)", "time (us)", {}}; }

/// The series of this label, added with the next colour where there is none.
PlotSeries& series_of(PlotPanel& panel, const std::string& label) {
  const auto it = std::find_if(panel.series.begin(), panel.series.end(),
                               [&](const PlotSeries& series) { return series.label == label; });
  if (it != panel.series.end()) return *it;
  const int color = static_cast<int>(panel.series.size());
  return panel.series.emplace_back(PlotSeries{label, color, ""});
}

/// Adds the times of a fit up to an N, of one problem or, where none is named, of each.
void add_points(PlotPanel& panel, const CrossFit& fit, const std::string& time,
                const std::string& problem = "",
                std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
  for (const AccountRow& row : fit.rows) {
    if (!problem.empty() && (row.problem != problem || row.n > most)) continue;
    const auto n = static_cast<double>(row.n);
    PlotSeries& series = series_of(panel, problem.empty() ? row.problem + ", " + time : time);
    series.points.push_back({n, row.measured_us});
    series.line.push_back({n, row.predicted_us});
  }
}

/// The paper's figures 4.1 to 4.4: Ts and Tm over N, from the tables, on its axes.
std::vector<PlotPanel> figure_panels(const Account& account) {
  struct Figure {
    const char* name;
    const char* problem;
    std::int64_t most;
  };
  constexpr Figure figures[] = {{"Figure 4.1", "minmax", 1'000},
                                {"Figure 4.2", "minmax", 1'000'000},
                                {"Figure 4.3", "statistics", 1'000},
                                {"Figure 4.4", "statistics", 1'000'000}};
  std::vector<PlotPanel> panels;
  for (const Figure& figure : figures) {
    for (const CardAccount& card : account.cards) {
      PlotPanel& panel =
          panels.emplace_back(empty_panel(std::string(figure.name) + ", " + card.card.name));
      panel.linear = true;
      add_points(panel, card.single_by_n, "Ts, one thread", figure.problem, figure.most);
      add_points(panel, card.lg, "Tm, parallel", figure.problem, figure.most);
    }
  }
  return panels;
}

/// Relative error of the variance over mean / sigma, the variants side by side.
PlotPanel accuracy_panel(const std::vector<statistics::VarianceError>& rows,
                         const std::string& type) {
  PlotPanel panel{type, "mean / sigma", "relative error of the variance", {}};
  for (const statistics::VarianceError& row : rows) {
    const double error = relative_error(row);
    if (row.type != type || !(error > 0)) continue;  // none on a logarithmic axis
    PlotSeries& series = series_of(panel, row.variant);
    const auto mean = static_cast<double>(row.mean_over_sigma);
    series.points.push_back({mean, error});
    series.line.push_back({mean, error});
  }
  return panel;
}

PlotPanel comparison_panel(std::span<const contest::Event> events) {
  PlotPanel panel = empty_panel(events.front().panel.title);
  for (const auto& [event, run] : contest::lines_of(events)) {
    const auto n = static_cast<double>(event->n);
    if (!run->measured && !run->predicted_ms) continue;
    PlotSeries& series = series_of(panel, run->contestant.label);
    if (const auto& time = run->measured) {
      series.points.push_back({n, time->ms * 1e3, time->low_ms * 1e3, time->high_ms * 1e3});
    }
    if (run->predicted_ms) series.line.push_back({n, *run->predicted_ms * 1e3});
  }
  return panel;
}

}  // namespace

std::vector<Plot> plots(const Experiment& experiment) {
  std::vector<Plot> result;
  std::vector<PlotPanel> cards;
  for (const CardAccount& account : experiment.account.cards) {
    PlotPanel& panel = cards.emplace_back(empty_panel(account.card.name));
    add_points(panel, account.lg, "Tm");
    add_points(panel, account.single_by_n, "Ts");
  }
  if (!cards.empty()) {
    result.push_back({"account",
                      "The paper's times: marks measured, lines predicted from the other problem",
                      3, std::move(cards)});
    result.push_back(
        {"figures",
         "Figures 4.1 to 4.4 of the paper: marks from its tables, lines predicted from "
         "the other problem",
         static_cast<int>(experiment.account.cards.size()), figure_panels(experiment.account)});
  }
  if (!experiment.accuracy.empty()) {
    result.push_back(
        {"variance",
         "The textbook formula of the variance beside merged squared deviations",
         2,
         {accuracy_panel(experiment.accuracy, "f32"), accuracy_panel(experiment.accuracy, "f64")}});
  }
  std::vector<PlotPanel> panels;
  for (const std::span<const contest::Event> events : contest::by_panel(experiment.panels.events)) {
    panels.push_back(comparison_panel(events));
  }
  if (!panels.empty()) {
    result.push_back({"panels",
                      "The programs on " + experiment.panels.environment.device +
                          ": marks measured, lines predicted from counts",
                      2, std::move(panels)});
  }
  return result;
}

}  // namespace agpusim::statistics_experiment
