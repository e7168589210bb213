#include <fmt/format.h>

#include "agpusim/validation/analysis/writers.hpp"
#include "agpusim/validation/report/csv_cells.hpp"

namespace agpusim {
namespace {

std::string line(const AnalysisGroup& group, const AnalysisRow& row) {
  const std::vector<std::string> cells = {group.algorithm,
                                          group.variant,
                                          group.type,
                                          group.machine,
                                          fmt::format("{}", row.n),
                                          row.input,
                                          fmt::format("{}", row.phases),
                                          fmt::format("{}", row.time),
                                          fmt::format("{}", row.io),
                                          fmt::format("{}", row.io_lower),
                                          to_string(row.counts),
                                          fmt::format("{}", row.differences.size()),
                                          detail::csv_cell(row.optimality_ratio),
                                          fmt::format("{}", row.predicted_ms),
                                          fmt::format("{}", row.measured_ms),
                                          fmt::format("{}", row.measured_low_ms),
                                          fmt::format("{}", row.measured_high_ms),
                                          fmt::format("{}", row.samples),
                                          fmt::format("{}", row.error),
                                          row.limit};
  return detail::csv_line(cells);
}

}  // namespace

std::string to_csv(const Analysis& analysis) {
  std::string text =
      "algorithm,variant,type,machine,n,input,phases,T,Q,Q_lower,counts,differences,"
      "optimality_ratio,predicted_ms,measured_ms,measured_low_ms,measured_high_ms,samples,error,"
      "limit\n";
  for (const AnalysisGroup& group : analysis.groups) {
    for (const AnalysisRow& row : group.rows) text += line(group, row);
  }
  return text;
}

}  // namespace agpusim
