#include <fmt/format.h>

#include "agpusim/validation/analysis/writers.hpp"
#include "agpusim/validation/report/text_table.hpp"

namespace agpusim {
namespace {

using detail::decimal_text;
using detail::integer_text;
using detail::percent_text;
using detail::signed_percent_text;
using detail::size_text;

constexpr const char* absent = "-";

std::string source_text(const AnalysisRow& row) {
  return row.differences.empty() ? to_string(row.counts) : "DIFFERENT";
}

std::vector<std::string> cells(const AnalysisRow& row) {
  return {row.input,
          size_text(row.n),
          integer_text(row.time),
          integer_text(row.io),
          source_text(row),
          row.optimality_ratio ? fmt::format("{:.2f}", *row.optimality_ratio) : absent,
          decimal_text(row.predicted_ms),
          decimal_text(row.measured_ms),
          fmt::format("[{}, {}]", decimal_text(row.measured_low_ms),
                      decimal_text(row.measured_high_ms)),
          signed_percent_text(row.error),
          row.limit};
}

std::string group_text(const AnalysisGroup& group) {
  std::string text = group.algorithm;
  if (!group.variant.empty()) text += " (" + group.variant + ")";
  text += fmt::format(", {}, on {}\n{}\nT = {}, Q = {}\n", group.type, group.machine, group.summary,
                      group.bound_time, group.bound_io);
  std::vector<std::vector<std::string>> rows;
  std::string differences;
  for (const AnalysisRow& row : group.rows) {
    rows.push_back(cells(row));
    if (!row.differences.empty()) {
      differences += fmt::format("n = {}: {}", size_text(row.n), row.differences.front());
      differences += row.differences.size() > 1
                         ? fmt::format(" (and {} more)\n", row.differences.size() - 1)
                         : "\n";
    }
  }
  text += detail::text_table({"input", "n", "T", "Q", "counts", "Q/bound", "predicted ms",
                              "measured ms", "[5 %, 95 %]", "error", "limit"},
                             rows, 1);
  return text + differences +
         fmt::format("{} Mean error {}, median {}.\n\n", group.limiting, percent_text(group.mape),
                     percent_text(group.median));
}

/// Every launch that differs, under its reason.
std::string differences_text(const CounterSummary& counters) {
  std::map<std::string, std::vector<std::vector<std::string>>> by_reason;
  for (const CounterDifference& difference : counters.differences) {
    by_reason[difference.reason].push_back(
        {difference.algorithm, difference.kernel, difference.metric, size_text(difference.n),
         integer_text(difference.launch), integer_text(difference.simulated),
         integer_text(difference.measured)});
  }
  std::string text;
  for (const auto& [reason, rows] : by_reason) {
    text += fmt::format("Counters that differ: {}.\n", reason);
    text += detail::text_table(
        {"algorithm", "kernel", "metric", "n", "launch", "simulated", "measured"}, rows, 3);
    text += "\n";
  }
  return text;
}

std::string counters_text(const CounterSummary& counters) {
  if (counters.launches == 0) return "Hardware counters: none recorded.\n";
  std::vector<std::vector<std::string>> metrics;
  for (const MetricAgreement& metric : counters.metrics) {
    metrics.push_back({metric.metric, metric.exact ? "must be equal" : "for information",
                       integer_text(metric.equal), integer_text(metric.launches)});
  }
  return differences_text(counters) +
         detail::text_table({"metric", "comparison", "equal", "launches"}, metrics, 2) +
         fmt::format("\nHardware counters equal in {} of {} launches.\n",
                     integer_text(counters.equal), integer_text(counters.launches));
}

std::string summary_text(const AnalysisSummary& summary) {
  if (summary.rows == 0) return "Times: none recorded.\n";
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.4f}", *value) : std::string(absent);
  };
  return fmt::format(
      "{} rows: Pearson correlation {}, Spearman {}, mean absolute error (MAPE) {}, median {}, "
      "worst "
      "{} ({}, n = {}).\n",
      summary.rows, number(summary.pearson), number(summary.spearman), percent_text(*summary.mape),
      percent_text(*summary.median), signed_percent_text(summary.worst->error),
      summary.worst->algorithm, size_text(summary.worst->n));
}

/// How many of the rows had their result compared, and with what.
std::string checksum_text(const Analysis& analysis) {
  std::int64_t simulated = 0;
  std::int64_t reference = 0;
  std::int64_t unchecked = 0;
  for (const AnalysisGroup& group : analysis.groups) {
    for (const AnalysisRow& row : group.rows) {
      if (row.checksum == ChecksumSource::simulation) ++simulated;
      if (row.checksum == ChecksumSource::reference) ++reference;
      if (row.checksum == ChecksumSource::none) ++unchecked;
    }
  }
  std::string text = fmt::format("Result checksums equal the simulation's in {} rows", simulated);
  if (reference > 0) text += fmt::format(", the reference's in {}", reference);
  if (unchecked > 0)
    text += fmt::format("; not compared in {} whose runs are not simulated (--verify-all does)",
                        unchecked);
  return text + ".\n";
}

}  // namespace

std::string to_text(const Analysis& analysis) {
  std::string text = fmt::format("Predicted and measured on {}\n\n", analysis.device.name);
  for (const AnalysisGroup& group : analysis.groups) text += group_text(group);
  return text + counters_text(analysis.counters) + checksum_text(analysis) +
         summary_text(analysis.summary);
}

}  // namespace agpusim
