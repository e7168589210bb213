#include "agpusim/validation/experiments/out_of_core/detail/experiment_json.hpp"

#include "agpusim/validation/experiments/out_of_core/experiment.hpp"
#include "agpusim/validation/pipeline/gantt.hpp"
#include "agpusim/validation/report/csv_cells.hpp"

namespace agpusim::out_of_core {
namespace {

using agpusim::detail::Json;

constexpr std::int32_t chart_width = 900;  // pixels

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json run_json(const Run& run) {
  return {{"task", run.task},
          {"scheme", run.scheme},
          {"n", run.n},
          {"budget", run.budget},
          {"chunk", run.chunk},
          {"streams", run.streams},
          {"memory", transfer::to_string(run.memory)}};
}

}  // namespace

namespace detail {

Json encode(const MiuraExperiment& experiment) {
  Json rows = Json::array();
  for (const ExperimentRow& row : experiment.rows) {
    Json json = run_json(row.run);
    json["samples"] = row.samples;
    json["seconds"] = row.seconds;
    json["low"] = row.low;
    json["high"] = row.high;
    json["floor"] = row.floor;
    json["predicted"] = optional_json(row.predicted);
    json["error"] = optional_json(row.error());
    json["host_one"] = optional_json(row.host_one);
    json["host_all"] = optional_json(row.host_all);
    rows.push_back(std::move(json));
  }
  Json seed = Json::array();
  for (const SeedRow& row : experiment.seed) {
    Json json = {{"task", row.task.task},
                 {"n", row.task.elements},
                 {"printed", {row.task.printed_low, row.task.printed_high}},
                 {"remark", row.task.remark},
                 {"prediction", nullptr}};
    if (row.prediction) {
      json["prediction"] = {{"bound", row.prediction->bound},
                            {"scheduled", row.prediction->scheduled},
                            {"by_read", row.prediction->by_read}};
    }
    seed.push_back(std::move(json));
  }
  Json timelines = Json::array();
  for (const MeasuredTimeline& timeline : experiment.timelines) {
    Json json = run_json(timeline.run);
    json["predicted"] = timeline.predicted.makespan;
    json["measured"] = timeline.measured.makespan;
    json["predicted_svg"] = gantt_svg(timeline.planned, timeline.predicted, chart_width);
    json["measured_svg"] = gantt_svg(timeline.ran, timeline.measured, chart_width);
    timelines.push_back(std::move(json));
  }
  return {{"generated", experiment.generated},
          {"environment", agpusim::detail::encode(experiment.environment)},
          {"host_cores", experiment.host_cores},
          {"link",
           {{"in", experiment.link.in.bytes_per_second},
            {"out", experiment.link.out.bytes_per_second},
            {"both", experiment.link.both},
            {"latency", experiment.link.in.latency}}},
          {"rows", std::move(rows)},
          {"seed", std::move(seed)},
          {"timelines", std::move(timelines)},
          {"mean_error", experiment.mean_error},
          {"median_error", experiment.median_error},
          {"within_tenth", experiment.within_tenth},
          {"on_device", experiment.on_device}};
}

}  // namespace detail

std::string to_json(const MiuraExperiment& experiment) {
  return detail::encode(experiment).dump(2) + "\n";
}

std::string to_csv(const MiuraExperiment& experiment) {
  using agpusim::detail::csv_cell;
  std::string text = agpusim::detail::csv_line(
      {"task", "scheme", "n", "budget", "chunk", "streams", "memory", "samples", "seconds", "low",
       "high", "floor", "predicted", "error", "host_one", "host_all"});
  for (const ExperimentRow& row : experiment.rows) {
    const Run& run = row.run;
    text += agpusim::detail::csv_line(
        {run.task, run.scheme, std::to_string(run.n), std::to_string(run.budget),
         std::to_string(run.chunk), std::to_string(run.streams), transfer::to_string(run.memory),
         std::to_string(row.samples), fmt::format("{}", row.seconds), fmt::format("{}", row.low),
         fmt::format("{}", row.high), fmt::format("{}", row.floor), csv_cell(row.predicted),
         csv_cell(row.error()), csv_cell(row.host_one), csv_cell(row.host_all)});
  }
  return text;
}

}  // namespace agpusim::out_of_core
