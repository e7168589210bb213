#include "agpusim/commands/validate/profiled_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "agpusim/validation/io/stats.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/records/ncu_csv.hpp"
#include "agpusim/validation/rows/evaluate.hpp"

namespace agpusim::protocol {
namespace {

std::string kernel_key(const RunConfig& config, const std::string& kernel) {
  const AgpuSpec& spec = config.spec;
  return fmt::format("{} {} {} {} {} {} {} {}", config.algorithm, config.variant, kernel,
                     config.type, spec.cores, spec.shared_words, spec.width, spec.word_bits);
}

}  // namespace

ProfiledKernels::ProfiledKernels(const Registry& registry,
                                 const std::vector<CounterRecord>& records) {
  const Sources sources = known_only();
  std::map<std::string, Row> rows;
  for (const CounterRecord& record : records) {
    const auto metric = record.metrics.find(executed_metric);
    const Algorithm* const row = registry.find_or_null(record.config.algorithm);
    if (metric == record.metrics.end() || row == nullptr) continue;
    const Run run{record.config.algorithm, row, record.config};
    const auto [known, added] = rows.try_emplace(run.key());
    if (added) known->second = evaluate(run, sources);
    if (!known->second.counted) continue;
    const auto& phases = known->second.counted->report.phases;
    const auto launch = static_cast<std::size_t>(record.launch);
    if (launch >= phases.size() || !phases[launch].execution.counted) continue;
    const double warps = warps_of(record.config.spec, phases[launch]);
    const Launch of_warp = {counted_instructions(record.config.spec, phases[launch]) / warps,
                            static_cast<double>(metric->second) / warps};
    launches_[kernel_key(record.config, record.kernel)].push_back(of_warp);
    constexpr double most_counted = 1500;
    if (of_warp.counted > most_counted) continue;
    const std::string compiled = fmt::format("{} {} {} {}", record.config.algorithm, record.kernel,
                                             record.config.type, record.config.spec.width);
    beyond_counted_[compiled].push_back(of_warp.executed - of_warp.counted);
  }
}

std::vector<double> ProfiledKernels::executed(const RunConfig& config,
                                              const std::vector<PhaseReport>& phases,
                                              double prologue) const {
  std::vector<double> result;
  for (const PhaseReport& phase : phases) {
    const auto known = launches_.find(kernel_key(config, phase.kernel));
    if (known == launches_.end()) {
      result.push_back(0);
      continue;
    }
    const double warps = warps_of(config.spec, phase);
    const double all = counted_instructions(config.spec, phase) / warps + prologue;
    const auto distance = [&](const Launch& launch) {
      return std::abs(std::log(all / (launch.counted + prologue)));
    };
    const Launch& like = *std::min_element(
        known->second.begin(), known->second.end(),
        [&](const Launch& a, const Launch& b) { return distance(a) < distance(b); });
    result.push_back(warps * like.executed * all / (like.counted + prologue));
  }
  return result;
}

std::vector<double> ProfiledKernels::prologues() const {
  std::vector<double> of_kernels;
  for (const auto& [kernel, beyond] : beyond_counted_) of_kernels.push_back(median(beyond));
  return of_kernels;
}

}  // namespace agpusim::protocol
