// agpusim_compiled_counters [LAUNCHES]: runs the PTX of the table's algorithms and compares its
// counts with the hardware counters of the bundled records; of about so many launches of small
// runs, spread over all, or of all. Prints the agreement of each counter, and of the number of
// executed instructions. Ends with 1 where a result is not the GPU's or a counter differs without a
// reason.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/commands/analyze/check_counters.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/compiled/compiled.hpp"
#include "agpusim/validation/io/stats.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim {
namespace {

using Launches = std::vector<CounterRecord>;

/// Launches of each run, small n first.
std::vector<Launches> all_runs() {
  std::map<std::pair<std::int64_t, std::string>, Launches> by_run;
  for (CounterRecord& record : read_all_records(record_folders()).counters) {
    by_run[{record.config.n, config_to_json(record.config)}].push_back(std::move(record));
  }
  std::vector<Launches> runs;
  for (auto& [key, run] : by_run) runs.push_back(std::move(run));
  return runs;
}

/// Runs up to n = 5000, some with about so many launches together.
std::vector<Launches> some_runs(std::int64_t launches) {
  std::vector<Launches> small = all_runs();
  std::erase_if(small, [](const Launches& run) { return run.front().config.n > 5000; });
  std::int64_t all = 0;
  for (const Launches& run : small) all += std::ssize(run);
  std::vector<Launches> chosen;
  std::int64_t seen = 0;
  for (Launches& run : small) {
    const std::int64_t before = seen * launches / all;
    seen += std::ssize(run);
    if (seen * launches / all > before) chosen.push_back(std::move(run));
  }
  return chosen;
}

struct Comparison {
  CounterSummary summary;
  std::vector<double> errors;  ///< relative error of executed instructions, by launch
  double seconds = 0;
  bool failed = false;

  void add(const Registry& registry, const Launches& run) {
    const RunConfig& config = run.front().config;
    const auto begin = std::chrono::steady_clock::now();
    const RunResult result = simulate_compiled(registry.find(config.algorithm), config);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (result.checksum != run.front().checksum) {
      fmt::print("{}: the result is not the GPU's\n", run.front().origin);
      failed = true;
    }
    for (const CounterRecord& launch : run) {
      add_launch(summary, launch, result.report.phases);
      const PhaseReport& phase = result.report.phases[static_cast<std::size_t>(launch.launch)];
      const auto executed = launch.metrics.find("smsp__inst_executed.sum");
      if (executed == launch.metrics.end()) continue;
      errors.push_back(std::abs(
          static_cast<double>(phase.instructions) / static_cast<double>(executed->second) - 1));
    }
  }

  void print() {
    fmt::print("{} launches in {:.1f} s, {} with all exact counters equal\n", summary.launches,
               seconds, summary.equal);
    for (const MetricAgreement& metric : summary.metrics) {
      fmt::print("{:<68} {} of {}{}\n", metric.metric, metric.equal, metric.launches,
                 metric.exact ? "" : " (for information)");
    }
    std::map<std::string, int> reasons;
    for (const CounterDifference& difference : summary.differences) {
      ++reasons[fmt::format("{}, {}: {}", difference.kernel, difference.metric, difference.reason)];
      failed = failed || difference.reason == "unexplained";
    }
    for (const auto& [reason, times] : reasons) fmt::print("{} times {}\n", times, reason);
    fmt::print(
        "executed instructions as estimated from the PTX: median error {:.1f} %, mean {:.1f} %\n",
        100 * median(errors), 100 * mean(errors));
  }
};

int compare(std::int64_t launches) {
  Registry registry;
  register_all(registry);
  Comparison comparison;
  for (const Launches& run : launches > 0 ? some_runs(launches) : all_runs()) {
    comparison.add(registry, run);
  }
  comparison.print();
  return comparison.failed ? 1 : 0;
}

}  // namespace
}  // namespace agpusim

int main(int argc, char** argv) {
  try {
    return agpusim::compare(argc > 1 ? std::atoll(argv[1]) : 0);
  } catch (const agpusim::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
