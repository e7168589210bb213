#include <algorithm>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "agpusim/cli/experiment_table.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/experiments/out_of_core/experiment.hpp"
#include "agpusim/validation/experiments/out_of_core/experiment_runs.hpp"
#include "agpusim/validation/experiments/out_of_core/measured_task.hpp"
#include "agpusim/validation/experiments/out_of_core/to_report.hpp"
#include "agpusim/validation/predict/stats.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;
using out_of_core::Run;
using out_of_core::RunRecord;

constexpr auto pinned = transfer::HostMemory::pinned;
constexpr std::int64_t quick_n = 100'000'000;
constexpr std::int64_t largest_n = 4'000'000'000;

std::int64_t n_max_of(const ExperimentCommand& command) {
  return std::min(sizes_of(command).n_max, command.quick ? quick_n : largest_n);
}

/// What is measured again only when another file is named: chunks may differ.
Run key_of(Run run) {
  run.chunk = 0;
  run.streams = 0;
  return run;
}

std::set<Run> recorded_runs(const fs::path& path, const std::string& device) {
  std::set<Run> runs;
  if (!fs::is_regular_file(path)) return runs;
  for (const RunRecord& record : out_of_core::read_run_records(path)) {
    if (record.environment.device == device) runs.insert(key_of(record.run));
  }
  return runs;
}

/// The run with the chunks that the model chooses.
Run planned(Run run, const DeviceFile& device) {
  if (run.on_host()) return run;
  const out_of_core::Plan plan = out_of_core::make_plan(out_of_core::request_of(run, device));
  run.chunk = plan.chunks.size;
  run.streams = plan.chunks.streams;
  return run;
}

out_of_core::RepeatRule rule_for(const Run& run) {
  out_of_core::RepeatRule rule;
  if (run.task == "sort" && run.scheme == "seed") {
    rule.repeats = 1;  // takes 10 s
  } else if (run.on_host()) {
    rule.repeats = run.scheme == "host_one" ? 1 : 3;
  } else {
    // One run of each kind of pipeline, small enough to be looked at.
    rule.timeline = run.n == quick_n && run.budget == out_of_core::seed_budget;
  }
  return rule;
}

}  // namespace

void measure_out_of_core(const ExperimentCommand& command, const CudaSupport& cuda) {
  const Environment environment = cuda.environment();
  const DeviceFile device = device_of(command, environment.device);
  const std::set<Run> recorded = recorded_runs(command.measure, environment.device);
  const std::vector<Run> all = out_of_core::experiment_runs(n_max_of(command));
  if (all.empty()) {
    throw UsageError(
        fmt::format("--n-max = {}: the smallest input has {} elements", command.n_max, quick_n));
  }
  std::vector<Run> runs;
  for (const Run& run : all) {
    if (!recorded.contains(key_of(run))) runs.push_back(planned(run, device));
  }
  std::int64_t bytes = 0;
  for (const Run& run : runs) {
    if (run.memory == pinned) bytes = std::max(bytes, out_of_core::host_bytes(run));
  }
  if (runs.empty()) {
    print(fmt::format("records: {} has every run already\n", command.measure));
    return;
  }
  message(fmt::format("{} runs, {:.1f} GB of pinned host memory", runs.size(),
                      static_cast<double>(bytes) / 1e9));
  const std::unique_ptr<out_of_core::DeviceRuns> target = cuda.out_of_core(bytes);
  out_of_core::MeasuredTask task(target->host_memory(), target.get());
  const std::optional<double> limit = time_limit(command);
  const auto start = std::chrono::steady_clock::now();
  std::size_t done = 0;
  for (const Run& run : runs) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    if (interrupted() || (limit && spent.count() > *limit)) break;
    Progress progress;
    out_of_core::Control control;
    control.progress = [&](std::int64_t chunks, std::int64_t of) {
      progress.show(fmt::format("{} ({}), n = {}: chunk {} of {}", run.task, run.scheme_text(),
                                run.n, chunks, of));
    };
    RunRecord record = task.measure(run, rule_for(run), control);
    record.environment = environment;
    record.host_cores = static_cast<std::int32_t>(std::thread::hardware_concurrency());
    record.date = utc_now();
    append_records(command.measure, {to_line(record)});
    ++done;
    message(fmt::format("{:3}/{} {} ({}) n = {} budget {}: {:.4g} ms, {:.3g} Gelements/s", done,
                        runs.size(), run.task, run.scheme_text(), run.n, run.budget,
                        median(record.seconds) * 1e3,
                        static_cast<double>(run.n) / median(record.seconds) / 1e9));
  }
  print(fmt::format("{} of {} runs measured; records: {}\n", done, runs.size(), command.measure));
}

report::Report out_of_core_report(const ExperimentCommand& command) {
  std::vector<RunRecord> records;
  for (const fs::path& path : records_of(command, "out_of_core/times.jsonl")) {
    for (RunRecord& record : out_of_core::read_run_records(path)) {
      if (record.run.n <= n_max_of(command)) records.push_back(std::move(record));
    }
  }
  if (records.empty()) {
    throw UsageError("the files hold no runs: measure with --measure FILE.jsonl");
  }
  const DeviceFile device = device_of(command, records.front().environment.device);
  out_of_core::Experiment experiment = out_of_core::compare_runs(std::move(records), device);
  experiment.generated = utc_now();
  return to_report(experiment);
}

}  // namespace agpusim
