#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/experiment/writers.hpp"

namespace agpusim {
namespace {

std::string quoted(const std::string& text) {
  return text.find(',') == std::string::npos ? text : '"' + text + '"';
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace

std::string to_csv(const Experiment& experiment) {
  std::string text =
      "family,panel,n,range,len,input,team,sort,algorithm,variant,measured_ms,measured_low_ms,"
      "measured_high_ms,samples,predicted_ms,limit\n";
  for (const ExperimentRow& row : experiment.rows) {
    for (const ExperimentEntry& entry : row.entries) {
      const bool measured = entry.measured_ms.has_value();
      const std::vector<std::string> cells = {
          quoted(to_string(row.cell.family)),
          quoted(row.cell.panel),
          fmt::format("{}", row.cell.n),
          fmt::format("{}", row.cell.range),
          fmt::format("{}", row.cell.len),
          row.cell.input,
          to_string(entry.contestant.team),
          entry.contestant.sort,
          entry.contestant.algorithm,
          entry.contestant.variant,
          number(entry.measured_ms),
          measured ? fmt::format("{}", entry.measured_low_ms) : "",
          measured ? fmt::format("{}", entry.measured_high_ms) : "",
          measured ? fmt::format("{}", entry.samples) : "",
          number(entry.predicted_ms),
          entry.predicted_ms ? entry.limit : ""};
      text += fmt::format("{}\n", fmt::join(cells, ","));
    }
  }
  return text;
}

}  // namespace agpusim
