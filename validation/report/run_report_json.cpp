#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/counts/compare_reports.hpp"
#include "agpusim/validation/json/json.hpp"
#include "agpusim/validation/json/pram_json.hpp"
#include "agpusim/validation/report/run_report.hpp"

namespace agpusim {
namespace {

using Json = nlohmann::ordered_json;

Json ratio(std::int64_t count, std::int64_t bound) {
  if (bound <= 0) return nullptr;
  return static_cast<double>(count) / static_cast<double>(bound);
}

Json encode(const PhaseReport& phase) {
  return {{"kernel", phase.kernel},
          {"tasks", phase.tasks},
          {"T", phase.time},
          {"max_task_time", phase.max_task_time},
          {"Q", phase.counts.io()},
          {"Q_max", phase.io_max},
          {"contention", phase.contention},
          {"shared_words", phase.shared_words},
          {"counts", detail::encode(phase.counts)}};
}

Json encode(const LineCost& line, SourceText& sources) {
  return {{"kernel", line.kernel},
          {"file", line.file},
          {"line", line.line},
          {"text", sources.line(line.file, line.line)},
          {"time", line.counts.time()},
          {"Q", line.counts.io()},
          {"counts", detail::encode(line.counts)}};
}

}  // namespace

std::string cost_sheet_json(const Algorithm& algorithm, const RunConfig& config,
                            const RunResult& result, const std::optional<RunReport>& derived,
                            const LowerBound& bound) {
  const RunReport& report = result.report;
  const Counts total = report.total();
  Json derivation = nullptr;
  if (derived) {
    const auto differences = compare_reports(report, *derived, "derived");
    derivation = {{"equal", differences.empty()}, {"differences", differences}};
  }
  Json formulas = Json::array();
  for (const Formula& formula : algorithm.formulas) {
    if (const auto value = formula.value(config)) {
      formulas.push_back(
          {{"formula", formula.text}, {"value", *value}, {"count", formula.count(report)}});
    }
  }
  Json phases = Json::array();
  for (const PhaseReport& phase : report.phases) phases.push_back(encode(phase));
  Json values = Json::object();
  for (const NamedValue& number : result.values) values[number.name] = number.value;
  Json json = {
      {"agpusim", AGPUSIM_VERSION},
      {"config", detail::encode(config)},
      {"checksum", detail::to_hex(result.checksum)},
      {"correct", result.correct},
      {"values", values},
      {"T", report.time()},
      {"T_tot", report.time_total_max},
      {"Q", total.io()},
      {"Q_max", report.io_max()},
      {"phases", report.phases.size()},
      {"global_bits", report.global_bits()},
      {"shared_bits", report.shared_bits()},
      {"host_words_in", report.host_words_in},
      {"host_words_out", report.host_words_out},
      {"contention", report.contention()},
      {"active_lane_share", ratio(total.active_lanes, total.lane_slots)},
      {"counts", detail::encode(total)},
      {"derived", derivation},
      {"formulas", formulas},
      {"bound",
       {{"T", time_bound(algorithm, config).text}, {"Q", io_bound(algorithm, config).text}}},
      {"lower_bound", {{"T", bound.time}, {"Q", bound.io}, {"source", bound.source}}},
      {"optimality_ratio",
       {{"T", ratio(report.time(), bound.time)}, {"Q", ratio(total.io(), bound.io)}}},
      {"phase_reports", phases}};
  if (!report.lines.empty()) {
    SourceText sources;
    for (const LineCost& line : report.lines) json["lines"].push_back(encode(line, sources));
  }
  return json.dump(2) + "\n";
}

}  // namespace agpusim
