#include "agpusim/validation/counts/add_execution.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/validation/counts/counts.hpp"

namespace agpusim {
namespace {

std::int64_t times(std::int64_t count, double factor) {
  return static_cast<std::int64_t>(std::llround(static_cast<double>(count) * factor));
}

/// The phases of a kernel, in order.
using ByKernel = std::map<std::string, std::vector<const PhaseReport*>>;

ByKernel by_kernel(const std::vector<PhaseReport>& phases) {
  ByKernel result;
  for (const PhaseReport& phase : phases) result[phase.kernel].push_back(&phase);
  return result;
}

/// The same run with fewer elements whose simulation is affordable, with its report.
std::optional<RunReport> affordable_run(const Algorithm& algorithm, const RunConfig& config,
                                        double limit, std::int64_t& n) {
  SimulationOptions options;
  options.checks = false;
  options.execution = true;
  for (n = config.n / 2; n > 0; n /= 2) {
    const auto smaller = with_size(algorithm, config, n);
    if (!smaller || estimated_lane_operations(algorithm, *smaller) > limit) continue;
    return algorithm.simulate(*smaller, options).report;
  }
  return std::nullopt;
}

}  // namespace

PhaseExecution scaled(const PhaseExecution& from, double factor, double task_factor,
                      double size_factor) {
  PhaseExecution result = from;
  Execution& total = result.total;
  for (std::int64_t* const count : {&total.views, &total.guards, &total.rounds, &total.syncs,
                                    &total.misses, &total.missed_reads, &total.missed_lines,
                                    &total.scattered_reads, &total.scattered_writes}) {
    *count = times(*count, factor);
  }
  const auto each = [](auto& values, double by) {
    for (std::int64_t& value : values) value = times(value, by);
  };
  each(total.operations, factor);
  each(total.lone, factor);
  each(total.read_sectors, factor);
  each(total.written_sectors, factor);
  each(result.longest, factor / task_factor);
  each(result.array_sectors, size_factor);
  return result;
}

std::int64_t add_execution(const Algorithm& algorithm, const RunConfig& config, double limit,
                           RunReport& report) {
  if (lane_operations(report) <= limit) {
    SimulationOptions options;
    options.checks = false;
    options.execution = true;
    const RunReport simulated = algorithm.simulate(config, options).report;
    for (std::size_t i = 0; i < report.phases.size(); ++i) {
      report.phases[i].execution = simulated.phases.at(i).execution;
    }
    return config.n;
  }
  std::int64_t n = 0;
  constexpr double part = 0.1;  // of the limit: proportions need no large run
  const auto smaller = affordable_run(algorithm, config, part * limit, n);
  if (!smaller) return 0;
  const ByKernel known = by_kernel(smaller->phases);
  const ByKernel wanted = by_kernel(report.phases);
  std::map<std::string, std::size_t> next;
  for (PhaseReport& phase : report.phases) {
    const auto same = known.find(phase.kernel);
    // Of as many phases of this kernel the one at the same part of the way.
    const std::size_t place = next[phase.kernel]++;
    const PhaseReport& like =
        same == known.end()
            ? smaller->phases.back()
            : *same->second[place * same->second.size() / wanted.at(phase.kernel).size()];
    const double factor =
        static_cast<double>(phase.counts.instructions()) /
        static_cast<double>(std::max<std::int64_t>(like.counts.instructions(), 1));
    phase.execution = scaled(like.execution, factor,
                             static_cast<double>(phase.tasks) / static_cast<double>(like.tasks),
                             static_cast<double>(config.n) / static_cast<double>(n));
  }
  return n;
}

}  // namespace agpusim
