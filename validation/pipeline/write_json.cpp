#include <nlohmann/json.hpp>

#include "agpusim/validation/json/json.hpp"
#include "agpusim/validation/pipeline/plan_json.hpp"
#include "agpusim/validation/pipeline/tasks.hpp"
#include "agpusim/validation/pipeline/writers.hpp"

namespace agpusim::out_of_core {
namespace {

using Json = nlohmann::ordered_json;
using transfer::Engine;

template <class T>
Json nullable(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json encode(const transfer::LinkSpec& link) {
  return {{"in_bytes_per_second", link.in.bytes_per_second},
          {"in_latency", link.in.latency},
          {"out_bytes_per_second", link.out.bytes_per_second},
          {"out_latency", link.out.latency},
          {"both_bytes_per_second", link.both},
          {"host_bytes_per_second", link.host},
          {"copy_engines", link.copy_engines}};
}

Json encode(const StepTotal& step) {
  return {{"step", step.step},
          {"runs", step.runs},
          {"elements", step.elements},
          {"launches", step.launches},
          {"T", step.time},
          {"Q", step.io},
          {"instructions", step.instructions},
          {"seconds", step.seconds}};
}

Json encode(const Trial& trial) {
  return {{"chunk", trial.chunk},
          {"seconds", nullable(trial.seconds)},
          {"refusal", trial.refusal.empty() ? Json(nullptr) : Json(trial.refusal)}};
}

Json engines_json(const Plan& plan) {
  Json all = Json::array();
  for (const Engine engine : transfer::engines) {
    std::int64_t operations = 0;
    for (const transfer::Operation& operation : plan.pipeline.operations()) {
      operations += operation.engine == engine ? 1 : 0;
    }
    all.push_back({{"engine", to_string(engine)},
                   {"operations", operations},
                   {"bytes", plan.pipeline.bytes(engine)},
                   {"busy_seconds", plan.schedule.busy_of(engine)},
                   {"utilisation", plan.schedule.utilisation(engine)}});
  }
  return all;
}

Json operations_json(const Plan& plan) {
  Json all = Json::array();
  for (transfer::OperationId id = 0; id < plan.pipeline.size(); ++id) {
    const transfer::Operation& operation = plan.pipeline[id];
    const transfer::Interval& interval = plan.schedule.intervals[static_cast<std::size_t>(id)];
    all.push_back({{"engine", to_string(operation.engine)},
                   {"stream", operation.stream},
                   {"name", operation.name},
                   {"chunk", operation.chunk < 0 ? Json(nullptr) : Json(operation.chunk)},
                   {"bytes", operation.bytes},
                   {"begin", interval.begin},
                   {"end", interval.end},
                   {"after", plan.pipeline.before(id)}});
  }
  return all;
}

}  // namespace

Json detail::summary_json(const Plan& plan) {
  const Task& task = find_task(plan.task);
  Json trials = Json::array();
  for (const Trial& trial : plan.trials) trials.push_back(encode(trial));
  Json steps = Json::array();
  for (const StepTotal& step : plan.steps) steps.push_back(encode(step));
  return {{"agpusim", AGPUSIM_VERSION},
          {"task", plan.task},
          {"primitive", task.primitive},
          {"type", task.type},
          {"scheme", plan.scheme},
          {"n", plan.chunks.n},
          {"machine", agpusim::detail::encode(plan.spec)},
          {"link", encode(plan.link)},
          {"budget_bytes", plan.budget_bytes},
          {"device_bytes", plan.device_bytes},
          {"chunk", plan.chunks.size},
          {"chunks", plan.chunks.count()},
          {"streams", plan.chunks.streams},
          {"seconds", plan.schedule.makespan},
          {"bound", {{"seconds", plan.bound.seconds}, {"resource", plan.bound.resource}}},
          {"counts", plan.correct ? "simulated" : "derived"},
          {"correct", nullable(plan.correct)},
          {"engines", engines_json(plan)},
          {"steps", steps},
          {"trials", trials},
          {"critical_path", plan.schedule.critical_path}};
}

std::string to_json(const Plan& plan) {
  Json json = detail::summary_json(plan);
  json["operations"] = operations_json(plan);
  return json.dump(2) + "\n";
}

}  // namespace agpusim::out_of_core
