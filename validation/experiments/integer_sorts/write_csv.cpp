#include <fmt/format.h>

#include "agpusim/validation/experiments/integer_sorts/writers.hpp"
#include "agpusim/validation/report/csv_cells.hpp"

namespace agpusim {

std::string to_csv(const Experiment& experiment) {
  std::string text =
      "family,panel,n,range,len,input,team,sort,algorithm,variant,measured_ms,measured_low_ms,"
      "measured_high_ms,samples,predicted_ms,limit\n";
  for (const ExperimentRow& row : experiment.rows) {
    for (const ExperimentEntry& entry : row.entries) {
      const bool measured = entry.measured_ms.has_value();
      const std::vector<std::string> cells = {
          to_string(row.cell.family),
          row.cell.panel,
          fmt::format("{}", row.cell.n),
          fmt::format("{}", row.cell.range),
          fmt::format("{}", row.cell.len),
          row.cell.input,
          to_string(entry.contestant.team),
          entry.contestant.sort,
          entry.contestant.algorithm,
          entry.contestant.variant,
          detail::csv_cell(entry.measured_ms),
          measured ? fmt::format("{}", entry.measured_low_ms) : "",
          measured ? fmt::format("{}", entry.measured_high_ms) : "",
          measured ? fmt::format("{}", entry.samples) : "",
          detail::csv_cell(entry.predicted_ms),
          entry.predicted_ms ? entry.limit : ""};
      text += detail::csv_line(cells);
    }
  }
  return text;
}

}  // namespace agpusim
