#include "agpusim/validation/json/json.hpp"
#include "agpusim/validation/json/pram_json.hpp"
#include "agpusim/validation/report/pram_report.hpp"

namespace agpusim {
namespace {

using Json = nlohmann::ordered_json;

Json encode(const PramReport& report) {
  Json steps = Json::array();
  for (const PramStep& step : report.steps) {
    steps.push_back({{"name", step.name},
                     {"processors", step.processors},
                     {"active", step.active},
                     {"reads", step.reads},
                     {"writes", step.writes},
                     {"read_contention", step.read_contention},
                     {"write_contention", step.write_contention}});
  }
  return steps;
}

Json encode(const BrentSchedule& schedule) {
  Json steps = Json::array();
  for (const BrentStep& step : schedule.steps) {
    steps.push_back({{"name", step.name},
                     {"processors", step.processors},
                     {"groups", step.groups},
                     {"steps", step.steps},
                     {"buffered", step.buffered},
                     {"writes", to_string(step.writes)}});
  }
  return {{"processors", schedule.processors},
          {"steps", schedule.time()},
          {"brent_bound", schedule.bound()},
          {"auxiliary_cells", schedule.auxiliary_cells},
          {"naive_wrong_cells", schedule.naive_wrong_cells},
          {"naive_wrong_reads", schedule.naive_wrong_reads},
          {"step_schedules", steps}};
}

Json encode(const WorkSpan& work_span) {
  Json path = Json::array();
  for (const PramOperation& operation : work_span.critical_path) {
    path.push_back(
        {{"step", operation.number}, {"name", operation.step}, {"processor", operation.processor}});
  }
  return {{"work", work_span.work},
          {"span", work_span.span},
          {"parallelism", work_span.parallelism()},
          {"widths", work_span.widths},
          {"critical_path", path}};
}

Json encode(const RunReport& agpu) {
  Json phases = Json::array();
  for (const PhaseReport& phase : agpu.phases) {
    phases.push_back({{"name", phase.kernel},
                      {"tasks", phase.tasks},
                      {"T", phase.time},
                      {"Q", phase.counts.io()},
                      {"sectors", phase.counts.sectors()},
                      {"contention", phase.contention},
                      {"counts", detail::encode(phase.counts)}});
  }
  Json json = detail::encode_totals(agpu);
  json["machine"] = detail::encode(agpu.spec);
  json["costliest"] = costliest_step_text(agpu);
  json["phases"] = phases;
  return json;
}

}  // namespace

std::string pram_sheet_json(const PramSheet& sheet) {
  const PramReport& report = sheet.result.report;
  const auto differences = compare_with_closed_form(report, sheet.form);
  Json json = {
      {"agpusim", AGPUSIM_VERSION},
      {"config", detail::encode(sheet.config)},
      {"correct", sheet.result.correct},
      {"output", sheet.result.output},
  };
  json.update(detail::encode_measures(report));
  json["meaning"] = detail::encode_meanings();
  json["closed_form"] = detail::encode(sheet.form);
  json["closed_form"]["equal"] = differences.empty();
  json["closed_form"]["differences"] = differences;
  json["bound"] = {{"text", sheet.variant.bound.text}, {"source", sheet.variant.source}};
  json["step_reports"] = encode(report);
  if (sheet.schedule) json["schedule"] = encode(*sheet.schedule);
  if (sheet.schedule_without_accumulate) {
    json["schedule_without_accumulate"] = encode(*sheet.schedule_without_accumulate);
  }
  if (sheet.work_span) json["work_span"] = encode(*sheet.work_span);
  if (sheet.agpu) json["on_agpu"] = encode(*sheet.agpu);
  return json.dump(2) + "\n";
}

}  // namespace agpusim
