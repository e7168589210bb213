#include <map>
#include <utility>

#include "agpusim/validation/experiments/out_of_core/detail/experiment_json.hpp"
#include "agpusim/validation/experiments/out_of_core/experiment.hpp"
#include "agpusim/validation/report/atomic_file.hpp"
#include "agpusim/validation/report/html_page.hpp"
#include "agpusim/validation/report/plot_data.hpp"

#include "embed/out_of_core_js.hpp"

namespace agpusim::out_of_core {
namespace {

using agpusim::detail::Plot;
using agpusim::detail::PlotPanel;
using agpusim::detail::PlotSeries;

/// Measured over foretold time, a mark per run.
std::vector<Plot> plots(const MiuraExperiment& experiment) {
  std::map<std::string, PlotSeries> tasks;
  for (const ExperimentRow& row : experiment.rows) {
    if (!row.predicted) continue;
    PlotSeries& series = tasks[row.run.task];
    series.points.push_back(
        {*row.predicted * 1e3, row.seconds * 1e3, row.low * 1e3, row.high * 1e3});
  }
  PlotPanel panel{"", "foretold (ms)", "measured (ms)", {}, true};
  for (auto& [task, series] : tasks) {
    series.label = task;
    series.color = static_cast<int>(panel.series.size());
    panel.series.push_back(std::move(series));
  }
  return {{"makespan", "Measured over foretold makespan", 1, {std::move(panel)}}};
}

}  // namespace

std::string to_html(const MiuraExperiment& experiment) {
  return agpusim::detail::make_page(
      embed::out_of_core_js(),
      agpusim::detail::page_data(detail::encode(experiment), plots(experiment)));
}

void write_html(const MiuraExperiment& experiment, const std::string& path) {
  write_file(path, to_html(experiment));
}

}  // namespace agpusim::out_of_core
