#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/writers.hpp"

namespace agpusim {
namespace {

/// In quotes when the text holds a separator (RFC 4180).
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::string equality(const std::optional<bool>& equal) {
  if (!equal) return "";
  return *equal ? "true" : "false";
}

std::string line(const AnalysisGroup& group, const AnalysisRow& row) {
  const std::vector<std::string> cells = {
      quoted(group.algorithm),
      quoted(group.variant),
      quoted(group.type),
      quoted(group.machine),
      fmt::format("{}", row.n),
      quoted(row.input),
      fmt::format("{}", row.phases),
      fmt::format("{}", row.time),
      fmt::format("{}", row.io),
      fmt::format("{}", row.io_lower),
      row.simulated ? "simulated" : "closed form",
      equality(row.closed_form_equal),
      row.optimality_ratio ? fmt::format("{}", *row.optimality_ratio) : "",
      fmt::format("{}", row.predicted_ms),
      fmt::format("{}", row.measured_ms),
      fmt::format("{}", row.measured_low_ms),
      fmt::format("{}", row.measured_high_ms),
      fmt::format("{}", row.samples),
      fmt::format("{}", row.error),
      row.limit};
  return fmt::format("{}\n", fmt::join(cells, ","));
}

}  // namespace

std::string to_csv(const Analysis& analysis) {
  std::string text =
      "algorithm,variant,type,machine,n,input,phases,T,Q,Q_lower,counts,closed_form_equal,"
      "optimality_ratio,predicted_ms,measured_ms,measured_low_ms,measured_high_ms,samples,error,"
      "limit\n";
  for (const AnalysisGroup& group : analysis.groups) {
    for (const AnalysisRow& row : group.rows) text += line(group, row);
  }
  return text;
}

}  // namespace agpusim
