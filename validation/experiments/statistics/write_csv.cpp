#include <fmt/format.h>

#include "agpusim/validation/experiments/statistics/writers.hpp"
#include "agpusim/validation/report/csv_cells.hpp"

namespace agpusim::statistics_experiment {

std::string to_csv(const Experiment& experiment) {
  std::string text =
      "panel,type,input,n,program,algorithm,variant,machine,measured_us,measured_low_us,"
      "measured_high_us,samples,floor_us,floor_share,over_library,predicted_us,limit\n";
  if (!experiment.comparison) return text;
  for (const PanelResult& result : experiment.comparison->panels) {
    for (const PanelRow& row : result.rows) {
      for (const PanelEntry& entry : row.entries) {
        const bool measured = entry.measured_us.has_value();
        const std::vector<std::string> cells = {
            result.panel.name,
            result.panel.type,
            result.panel.input,
            fmt::format("{}", row.n),
            entry.contestant.label,
            entry.contestant.algorithm,
            entry.contestant.variant,
            entry.contestant.machine,
            agpusim::detail::csv_cell(entry.measured_us),
            measured ? fmt::format("{}", entry.measured_low_us) : "",
            measured ? fmt::format("{}", entry.measured_high_us) : "",
            measured ? fmt::format("{}", entry.samples) : "",
            fmt::format("{}", row.floor_us),
            agpusim::detail::csv_cell(entry.floor_share),
            agpusim::detail::csv_cell(entry.over_library),
            agpusim::detail::csv_cell(entry.predicted_us),
            entry.limit};
        text += agpusim::detail::csv_line(cells);
      }
    }
  }
  return text;
}

}  // namespace agpusim::statistics_experiment
