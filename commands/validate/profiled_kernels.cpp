#include "agpusim/commands/validate/profiled_kernels.hpp"

#include <map>
#include <string>

#include <fmt/format.h>

#include "agpusim/validation/io/stats.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/records/ncu_csv.hpp"
#include "agpusim/validation/rows/evaluate.hpp"

namespace agpusim::protocol {

std::vector<double> prologues_of(const Registry& registry,
                                 const std::vector<CounterRecord>& records) {
  const Sources sources = known_only();
  std::map<std::string, Row> rows;
  std::map<std::string, std::vector<double>> beyond_counted;  // by kernel
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
    const double counted = counted_instructions(record.config.spec, phases[launch]) / warps;
    constexpr double most_counted = 1500;
    if (counted > most_counted) continue;
    const std::string kernel = fmt::format("{} {} {} {}", record.config.algorithm, record.kernel,
                                           record.config.type, record.config.spec.width);
    beyond_counted[kernel].push_back(static_cast<double>(metric->second) / warps - counted);
  }
  std::vector<double> of_kernels;
  for (const auto& [kernel, beyond] : beyond_counted) of_kernels.push_back(median(beyond));
  return of_kernels;
}

}  // namespace agpusim::protocol
