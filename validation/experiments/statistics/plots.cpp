#include <algorithm>
#include <utility>

#include "agpusim/validation/experiments/statistics/detail/nishimura_json.hpp"

namespace agpusim::nishimura {
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

void add_points(PlotPanel& panel, const CrossFit& fit, const char* time) {
  for (const AccountRow& row : fit.rows) {
    const auto n = static_cast<double>(row.n);
    PlotSeries& series = series_of(panel, row.problem + ", " + time);
    series.points.push_back({n, row.measured_us});
    series.line.push_back({n, row.predicted_us});
  }
}

PlotPanel account_panel(const CardAccount& account) {
  PlotPanel panel = empty_panel(account.card.name);
  add_points(panel, account.lg, "Tm");
  add_points(panel, account.single_by_n, "Ts");
  return panel;
}

PlotPanel comparison_panel(const PanelResult& result) {
  PlotPanel panel = empty_panel(result.panel.title);
  for (const PanelRow& row : result.rows) {
    const auto n = static_cast<double>(row.n);
    for (const PanelEntry& entry : row.entries) {
      if (!entry.measured_us && !entry.predicted_us) continue;
      PlotSeries& series = series_of(panel, entry.contestant.label);
      if (entry.measured_us) {
        series.points.push_back(
            {n, *entry.measured_us, entry.measured_low_us, entry.measured_high_us});
      }
      if (entry.predicted_us) series.line.push_back({n, *entry.predicted_us});
    }
  }
  return panel;
}

}  // namespace

std::vector<Plot> detail::plots(const Experiment& experiment) {
  std::vector<Plot> result;
  std::vector<PlotPanel> cards;
  for (const CardAccount& account : experiment.account.cards) {
    cards.push_back(account_panel(account));
  }
  if (!cards.empty()) {
    result.push_back({"account",
                      "The paper's times: marks measured, lines predicted from the other problem",
                      3, std::move(cards)});
  }
  if (!experiment.comparison) return result;
  std::vector<PlotPanel> panels;
  for (const PanelResult& panel : experiment.comparison->panels) {
    if (!panel.rows.empty()) panels.push_back(comparison_panel(panel));
  }
  if (!panels.empty()) {
    result.push_back({"panels",
                      "The programs on " + experiment.comparison->environment.device +
                          ": marks measured, lines predicted from counts",
                      2, std::move(panels)});
  }
  return result;
}

}  // namespace agpusim::nishimura
