#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/papers/experiment.hpp"
#include "agpusim/papers/out_of_core/experiment.hpp"
#include "agpusim/papers/out_of_core/measured_task.hpp"
#include "agpusim/validation/records/config_json.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;
using out_of_core::RunRecord;

constexpr auto pinned = transfer::HostMemory::pinned;
constexpr std::int64_t smallest_n = 100'000'000;

std::set<std::string> measured_runs(const fs::path& path, const std::string& device) {
  std::set<std::string> runs;
  if (!fs::is_regular_file(path)) return runs;
  for (const RunRecord& record : out_of_core::read_run_records(path)) {
    if (record.environment.device == device) runs.insert(config_to_json(config_of(record.run)));
  }
  return runs;
}

/// The run with the chunks that the model chooses.
out_of_core::Run planned(out_of_core::Run run, const DeviceFile& device) {
  if (run.on_host()) return run;
  const out_of_core::Plan plan = out_of_core::make_plan(out_of_core::request_of(run, device));
  run.chunk = plan.chunks.size;
  run.streams = plan.chunks.streams;
  return run;
}

out_of_core::RepeatRule rule_for(const out_of_core::Run& run) {
  constexpr std::int64_t timeline_budget = 3'000'000'000;
  out_of_core::RepeatRule rule;
  if (run.task == "sort" && run.scheme == "seed") {
    rule.repeats = 1;  // takes 10 s
  } else if (run.on_host()) {
    rule.repeats = run.scheme == "host_one" ? 1 : 3;
  } else {
    // One run of each kind of pipeline, small enough to be looked at.
    rule.timeline = run.n == smallest_n && run.budget == timeline_budget;
  }
  return rule;
}

}  // namespace

PlanResult measure_out_of_core(const ExperimentCommand& command, const CudaSupport& cuda) {
  const Environment environment = cuda.environment();
  const DeviceFile device = device_of(command, environment.device);
  const std::set<std::string> recorded = measured_runs(command.measure, environment.device);
  const auto known = [&](const RunConfig& run) { return recorded.contains(config_to_json(run)); };
  Plan plan;
  std::int64_t bytes = 0;
  for (const out_of_core::Run& run : out_of_core::planned_runs(command.sizes)) {
    const RunConfig& config = plan.configs.emplace_back(config_of(run));
    if (run.memory == pinned && !known(config)) {
      bytes = std::max(bytes, out_of_core::host_bytes(planned(run, device)));
    }
  }
  if (plan.configs.empty()) {
    throw UsageError(fmt::format("--n-max = {}: the smallest input has {} elements",
                                 size_text(command.sizes.n_max), smallest_n));
  }
  std::unique_ptr<out_of_core::DeviceRuns> runs;  // with the host memory of the largest
  std::optional<out_of_core::MeasuredTask> task;
  PlanResult result = execute(plan, command.max_seconds, known, [&](const RunConfig& config) {
    if (!task) {
      runs = cuda.out_of_core(bytes);
      task.emplace(runs->host_memory(), runs.get());
    }
    const out_of_core::Run run = planned(out_of_core::run_of(config), device);
    Progress progress;
    out_of_core::Control control;
    control.progress = [&](std::int64_t chunks, std::int64_t of) {
      progress.show(fmt::format("{} ({}), n = {}: chunk {} of {}", run.task, run.scheme_text(),
                                run.n, chunks, of));
    };
    RunRecord record = task->measure(run, rule_for(run), control);
    record.environment = environment;
    record.host_cores = static_cast<std::int32_t>(std::thread::hardware_concurrency());
    record.date = utc_now();
    add_records(command.measure, {to_line(record)});
    return Samples{out_of_core::microseconds(record), record.stop};
  });
  result.device = environment.device;
  result.file = command.measure;
  return result;
}

report::Report out_of_core_report(const ExperimentCommand& command) {
  const auto [quick, largest] = command.sizes;
  const std::int64_t n_max = quick ? std::min(largest, smallest_n) : largest;
  std::vector<RunRecord> records;
  for (const fs::path& path : records_of(command, "out_of_core/times.jsonl")) {
    for (RunRecord& record : out_of_core::read_run_records(path)) {
      if (record.run.n <= n_max) records.push_back(std::move(record));
    }
  }
  if (records.empty()) {
    throw UsageError("the files hold no runs: measure with --measure FILE.jsonl");
  }
  const DeviceFile device = device_of(command, records.front().environment.device);
  return to_report(out_of_core::compare_runs(records, device));
}

}  // namespace agpusim
