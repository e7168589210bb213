#include "agpusim/ptx/run/kernel_device.hpp"

#include <cstring>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim::ptx {
namespace {

/// What the compiler calls run_kernel<...> of cuda/run_kernel.cuh, whose template arguments are
/// those of the KernelSymbol (Itanium C++ ABI, 5.1).
std::string mangled(const std::type_info& symbol) {
  constexpr std::string_view type = "N7agpusim12KernelSymbol";
  const std::string_view arguments = std::string_view(symbol.name()).substr(type.size());
  return fmt::format("_ZN7agpusim10run_kernel{}vT_lliDpT1_", arguments);
}

}  // namespace

KernelDevice::KernelDevice(const AgpuSpec& spec, std::shared_ptr<const Module> kernels,
                           Options options, bool derives)
    : spec_(spec),
      kernels_(std::move(kernels)),
      device_(spec, std::move(options)),
      derives_(derives),
      bill_(spec) {}

std::shared_ptr<void> KernelDevice::allocate(std::size_t bytes, std::string name) {
  const Address address = device_.memory().allocate(bytes, std::move(name));
  return {reinterpret_cast<void*>(address),
          [this, address](void*) { device_.memory().release(address); }};
}

void KernelDevice::copy_in(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  std::memcpy(to, from, bytes);
  device_.memory().mark_written(reinterpret_cast<Address>(to), bytes);
}

PhaseReport KernelDevice::launch(const Launch& launch) {
  LaunchReport report = device_.launch(launch);
  if (!report.findings.empty()) {
    throw RuleViolation(
        fmt::format("kernel {}: {}", launch.name, report.findings.front().message()));
  }
  return std::move(report.phase);
}

PhaseReport KernelDevice::derive(const CompiledLaunch& phase, Launch one) {
  if (!phase.cost.oblivious) throw DependsOnData(phase.name);
  struct Known {
    PhaseReport phase;
    TaskBill bill;
  };
  std::unordered_map<std::int64_t, Known> known;  // by task
  std::int64_t instructions = 0;
  std::int64_t special_turns = 0;
  UnpricedAccesses unpriced;
  const auto bill_of = [&](std::int64_t task, std::int64_t times) -> const TaskBill& {
    const auto [entry, is_new] = known.try_emplace(task);
    auto& [report, bill] = entry->second;
    if (is_new) {
      one.only = task;
      report = launch(one);
      bill = {report.counts, report.shared_words, report.execution.total,
              report.execution.live_values};
    }
    instructions += report.instructions * times;
    special_turns += report.execution.special_turns * times;
    unpriced += report.unpriced * times;
    return bill;
  };
  bill_.begin(phase.name, phase.tasks);
  TaskSums sums;
  const std::vector<TaskRun> runs =
      sums.add_all(examples_of(phase.cost, phase.tasks, spec_, phase.parts), bill_of);
  bill_.merge(sums);
  PhaseReport result = bill_.end(runs);
  const PhaseReport& like = known.begin()->second.phase;
  result.width = like.width;
  result.registers = like.registers;
  result.instructions = instructions;
  result.unpriced = unpriced;
  result.execution.counted = like.execution.counted;
  result.execution.special_turns = special_turns;
  result.execution.array_sectors = like.execution.array_sectors;
  return result;
}

void KernelDevice::run(const CompiledLaunch& phase) {
  if (phase.tasks == 0) return;
  std::shared_ptr<const Program>& program = programs_[phase.symbol.name()];
  if (!program) program = Program::compile(kernels_, mangled(phase.symbol));
  const Launch all{.program = program,
                   .grid = {static_cast<std::uint32_t>(phase.tasks)},
                   .block = {static_cast<std::uint32_t>(spec_.width)},
                   .dynamic_shared = static_cast<std::uint32_t>(phase.shared_bytes),
                   .parameters = phase.parameters,
                   .name = phase.name};
  if (derives_) {
    derived_.push_back(derive(phase, all));
  } else {
    launch(all);
  }
}

RunReport KernelDevice::report() const {
  RunReport result = device_.report();
  if (!derives_) return result;
  result.phases = derived_;
  result.time_total_max = bill_.total_max();
  return result;
}

}  // namespace agpusim::ptx
