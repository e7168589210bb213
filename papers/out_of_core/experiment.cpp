#include "agpusim/papers/out_of_core/experiment.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "agpusim/commands/pipeline/machine.hpp"
#include "agpusim/commands/pipeline/tasks.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/papers/out_of_core/measured_task.hpp"
#include "agpusim/validation/io/stats.hpp"
#include "agpusim/validation/records/latest.hpp"
#include "agpusim/validation/records/measurement.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim::out_of_core {
namespace {

/// Bytes of the task, in and out, over the bandwidths of the link: no program is faster.
double floor_of(const Run& run, const transfer::LinkSpec& link) {
  const Task& task = find_task(run.task);
  const auto in = static_cast<double>(task.bytes_in(run.n));
  const auto out = static_cast<double>(task.bytes_out(run.n));
  const double both = link.both > 0 ? (in + out) / link.both : 0;
  return std::max({in / link.in.bytes_per_second, out / link.out.bytes_per_second, both});
}

/// What is measured: a newer choice of chunks replaces an older one.
using Key = std::tuple<std::string, std::string, std::int64_t, std::int64_t, transfer::HostMemory>;

Key key_of(const RunRecord& record) {
  const Run& run = record.run;
  return {run.task, run.scheme, run.n, run.budget, run.memory};
}

using Latest = std::map<Key, const RunRecord*>;

std::optional<double> host_seconds(const Latest& records, const Run& run, const char* scheme) {
  const auto it = records.find({run.task, scheme, run.n, 0, transfer::HostMemory::pinned});
  if (it == records.end()) return std::nullopt;
  return median(it->second->seconds);
}

MeasuredTimeline timeline_of(const RunRecord& record, const Plan& plan) {
  MeasuredTimeline timeline{record.run, plan.pipeline, plan.schedule, {}, {}, {}, {}};
  for (const transfer::Operation& operation : record.timeline.operations) {
    timeline.ran.add(operation);
  }
  timeline.measured = schedule_of_intervals(timeline.ran, record.timeline.intervals);
  std::int64_t kernel_bytes = 0;  // the device does not say what its kernels moved
  for (const StepTotal& step : plan.steps) kernel_bytes += step.device_bytes;
  timeline.traffic_predicted =
      traffic_of(timeline.planned, timeline.predicted.makespan, kernel_bytes);
  timeline.traffic_measured = traffic_of(timeline.ran, timeline.measured.makespan, kernel_bytes);
  return timeline;
}

/// The order of the experiment's table of runs.
std::ptrdiff_t rank_of(const Run& run) {
  return std::ranges::find(tasks(), run.task, &Task::name) - tasks().begin();
}

}  // namespace

Traffic traffic_of(const transfer::Pipeline& pipeline, double makespan, std::int64_t kernel_bytes) {
  using transfer::Engine;
  const std::int64_t in = pipeline.bytes(Engine::copy_in);
  const std::int64_t out = pipeline.bytes(Engine::copy_out);
  const auto rate = [&](std::int64_t bytes) { return static_cast<double>(bytes) / makespan; };
  return {rate(in), rate(out), rate(in + out + kernel_bytes),
          rate(in + out + pipeline.bytes(Engine::host))};
}

std::vector<Run> planned_runs(const contest::SizeChoice& sizes) {
  const Registry none;  // no task is a row
  const auto events = contest::events_of(contest::bundled_plan("out_of_core/plan.json"), sizes,
                                         none, [](const std::string&) { return AgpuSpec{}; });
  std::vector<Run> runs;
  for (const contest::RunToMeasure& run : contest::runs_of(events, none)) {
    runs.push_back(run_of(run.config));
  }
  return runs;
}

Request request_of(const Run& run, const DeviceFile& device) {
  constexpr std::int32_t streams = 3;  // let copies of both directions and kernels overlap
  Request request;
  request.task = run.task;
  request.scheme = run.scheme;
  request.n = run.n;
  request.budget_bytes = run.budget;
  request.streams = run.streams > 0 ? run.streams : streams;
  request.chunk = run.chunk;
  request.spec = device_spec();
  request.memory = run.memory;
  LinkChoice choice;
  choice.pageable = run.memory == transfer::HostMemory::pageable;
  request.link = link_of(device, choice);
  request.clock = kernel_clock(request.spec, device);
  request.compact_rate = compact_rate(device);
  return request;
}

Experiment compare_runs(const std::vector<RunRecord>& records, const DeviceFile& device) {
  if (records.empty()) throw UsageError("there is no record");
  Experiment experiment;
  experiment.generated = utc_now();
  experiment.environment = records.front().environment;
  experiment.host_cores = records.front().host_cores;
  for (const RunRecord& record : records) {
    if (record.environment.device != experiment.environment.device) {
      throw UsageError("the records are of " + experiment.environment.device + " and " +
                       record.environment.device + "; name files of one device");
    }
  }
  experiment.link = link_of(device, {});
  experiment.device_memory = device.value("bandwidth_copy") * 1e9;
  const Latest runs = latest_by(records, key_of);
  for (const auto& [key, latest] : runs) {
    const RunRecord& record = *latest;
    ExperimentRow row;
    row.config = config_of(record.run);
    row.measured = measurement_of(microseconds(record), record.date);
    row.run = record.run;
    row.floor = floor_of(record.run, experiment.link);
    if (!record.run.on_host()) {
      row.host_one = host_seconds(runs, record.run, "host_one");
      row.host_all = host_seconds(runs, record.run, "host_all");
      const Plan plan = make_plan(request_of(record.run, device));
      row.predicted_ms = plan.schedule.makespan * 1e3;
      if (!record.timeline.operations.empty()) {
        experiment.timelines.push_back(timeline_of(record, plan));
      }
    }
    experiment.rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(experiment.rows, {}, [](const ExperimentRow& row) {
    return std::tuple(rank_of(row.run), row.run.n, row.run.on_host());
  });
  return experiment;
}

}  // namespace agpusim::out_of_core
