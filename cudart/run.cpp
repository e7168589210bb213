// How a kernel is run, skipped and reported.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include "agpusim/cudart/api.hpp"
#include "agpusim/ptx/run/cta_recorder.hpp"
#include "agpusim/ptx/text/kernel_name.hpp"
#include "agpusim/validation/predict/residency.hpp"

namespace agpusim::cudart {
namespace {

/// The check to which the findings of a rule belong; bounds are always looked for.
const char* check_of(ptx::Rule rule) {
  switch (rule) {
    case ptx::Rule::shared_race:
    case ptx::Rule::global_race:
    case ptx::Rule::write_conflict:
      return "races";
    case ptx::Rule::unwritten_shared:
    case ptx::Rule::unwritten_global:
      return "init";
    case ptx::Rule::divergent_barrier:
    case ptx::Rule::wrong_mask:
    case ptx::Rule::absent_lane:
    case ptx::Rule::ended_lanes:
    case ptx::Rule::missing_wait:
    case ptx::Rule::mbarrier:
    case ptx::Rule::deadlock:
    case ptx::Rule::parted_barrier:
    case ptx::Rule::barrier_count:
      return "sync";
    default:
      return "bounds";
  }
}

/// What CUDA calls a defect that ends a kernel.
Status status_of(ptx::Rule rule) {
  switch (rule) {
    case ptx::Rule::misaligned:
      return Status::misaligned_address;
    case ptx::Rule::deadlock:
      return Status::launch_timeout;
    case ptx::Rule::assertion:
      return Status::assert_failed;
    case ptx::Rule::out_of_bounds:
    case ptx::Rule::freed:
    case ptx::Rule::read_only:
      return Status::illegal_address;
    default:
      return Status::launch_failure;
  }
}

}  // namespace

bool Runtime::is_skipped(const Kernel& kernel) const {
  if (settings.first > 0 && kernel.launches > settings.first) return true;
  return !settings.only.empty() && !ptx::is_called(kernel.name, settings.only);
}

void Runtime::mark_skipped(const PreparedLaunch& launch) {
  constexpr std::uint64_t most = 4096;  // bytes of an allocation, in which more pointers may be
  const ptx::Program& program = *launch.kernel->program();
  std::vector<ptx::Address> symbols;
  for (const std::string& symbol : program.symbols) {
    symbols.push_back(device.address_of(program.module, symbol));
  }
  std::set<ptx::Address> given;
  std::vector<std::span<const std::byte>> todo = {launch.parameters,
                                                  std::as_bytes(std::span(symbols))};
  while (!todo.empty()) {
    const std::span<const std::byte> bytes = todo.back();
    todo.pop_back();
    for (std::size_t i = 0; i + sizeof(void*) <= bytes.size(); i += sizeof(void*)) {
      const void* pointer = nullptr;
      std::memcpy(&pointer, &bytes[i], sizeof pointer);
      const ptx::Allocation* const held = allocation(pointer);
      if (held == nullptr || !given.insert(held->begin).second) continue;
      device.memory().mark_written(held->begin, held->bytes);
      todo.emplace_back(reinterpret_cast<const std::byte*>(held->begin),
                        std::min(held->bytes, most));
    }
  }
}

std::vector<ptx::Finding> Runtime::wanted(const std::vector<ptx::Finding>& findings) const {
  std::vector<ptx::Finding> result;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(result),
               [&](const ptx::Finding& finding) {
                 return !ptx::goes_on(finding.rule) || has_check(check_of(finding.rule));
               });
  return result;
}

Status Runtime::launch(const PreparedLaunch& launch) {
  Kernel& kernel = *launch.kernel;
  exec::LaunchRecord record;
  record.kernel = kernel.name;
  record.grid = launch.grid;
  record.block = launch.block;
  record.dynamic_shared = static_cast<std::int64_t>(launch.dynamic_shared);
  ++kernel.launches;
  const Opened opened(hidden);
  if (is_skipped(kernel)) {
    record.skipped = true;
    mark_skipped(launch);
    milliseconds += kernel.milliseconds;
    reporter.launch(std::move(record));
    return Status::success;
  }
  const std::shared_ptr<const ptx::Program>& program = kernel.program();
  reporter.runs(record, true);
  std::optional<ptx::CtaRecorder> recorder;
  if (!settings.step.empty() && kernel.launches == settings.step_launch &&
      ptx::is_called(kernel.name, settings.step)) {
    recorder.emplace(settings.step_cta);
  }
  const auto tell = [&](std::int64_t ended, const std::vector<ptx::Finding>& findings) {
    exec::LaunchRecord running = record;
    running.ended_ctas = ended;
    running.findings = wanted(findings);
    reporter.runs(std::move(running), false);
  };
  try {
    static_cast<ptx::LaunchReport&>(record) =
        device.launch({.program = program,
                       .grid = launch.grid,
                       .block = launch.block,
                       .dynamic_shared = static_cast<std::uint32_t>(launch.dynamic_shared),
                       .parameters = launch.parameters,
                       .machine = kernel.machine_code(),
                       .cooperative = launch.cooperative,
                       .recorder = recorder ? &*recorder : nullptr,
                       .progress = tell});
  } catch (const ptx::PtxError& refusal) {
    reporter.refused(kernel.name, std::string("PTX, ") + refusal.what());
    return Status::not_supported;
  } catch (const std::exception& exception) {
    Failure failure = failure_of(exception);
    failure.kernel = kernel.name;
    record.complete = false;
    record.predicted.why_not = "not run: " + failure.reason;
    reporter.launch(std::move(record));
    throw failure;
  }
  if (recorder) reporter.stepped({0, recorder->take(record.phase)});
  printed_ += record.output;
  used("kernel " + ptx::readable_name(kernel.name), kernel.name, device.memory().take_uses());
  for (ptx::PricedLine& line : record.lines) {
    if (line.file == program->module->name()) line.file.clear();  // nobody sees the PTX
  }
  if (record.complete) {
    RunConfig config;
    config.spec = spec;
    record.predicted = predict_run(config, {record.phase}, card, PredictedFrom::programs);
    const std::optional<Prediction>& time = record.predicted.prediction;
    if (time) milliseconds += kernel.milliseconds = time->milliseconds;
  } else {
    record.predicted.why_not = "stopped by a finding";
    const auto last = std::find_if(record.findings.begin(), record.findings.end(),
                                   [](const auto& each) { return !ptx::goes_on(each.rule); });
    fault = last == record.findings.end() ? Status::launch_failure : status_of(last->rule);
  }
  record.findings = wanted(record.findings);
  reporter.launch(std::move(record));
  return Status::success;
}

}  // namespace agpusim::cudart
