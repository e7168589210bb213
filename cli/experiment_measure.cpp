#include "agpusim/cli/experiment_measure.hpp"

#include <ctime>
#include <set>
#include <string>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "agpusim/algorithms/integer_sort.hpp"
#include "agpusim/cli/plan_runner.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/validation/config_json.hpp"
#include "agpusim/validation/record.hpp"
#include "agpusim/validation/stats.hpp"

namespace agpusim {
namespace {

/// Checksums of the sorted keys; the last one is kept, since the runs of one input follow each
/// other.
class SortedKeys {
 public:
  std::uint64_t checksum(const RunConfig& config) {
    RunConfig input = config;
    input.algorithm.clear();
    input.variant.clear();
    input.spec = AgpuSpec{};
    if (!known_ || input != input_) {
      checksum_ = sorted_keys_checksum(config);
      input_ = input;
      known_ = true;
    }
    return checksum_;
  }

 private:
  bool known_ = false;
  RunConfig input_;
  std::uint64_t checksum_ = 0;
};

std::set<std::string> recorded_runs(const std::filesystem::path& path, const std::string& device) {
  std::set<std::string> runs;
  if (!std::filesystem::exists(path)) return runs;
  for (const TimingRecord& record : read_records(path).timings) {
    if (record.environment.device == device) runs.insert(config_to_json(record.config));
  }
  return runs;
}

}  // namespace

void measure_sorts(const std::vector<RunConfig>& runs, const CudaSupport& cuda,
                   const std::filesystem::path& out, std::optional<double> max_seconds) {
  const Environment environment = cuda.environment();
  const std::set<std::string> recorded = recorded_runs(out, environment.device);
  SortedKeys sorted;
  Plan plan;
  plan.configs = runs;
  PlanRunner runner(plan, max_seconds);
  runner.execute(
      [&](const RunConfig& config) { return recorded.contains(config_to_json(config)); },
      [&](const RunConfig& config) {
        TimingRecord record;
        record.environment = environment;
        record.config = config;
        record.checksum = sorted.checksum(config);
        record.samples = cuda.time(config, record.checksum, SamplingRule{});
        record.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
        append_records(out, {to_line(record)});
        return fmt::format("{:.4g} ms ({} samples, {})", median(record.samples.microseconds) / 1e3,
                           record.samples.microseconds.size(), record.samples.stop);
      });
  print(runner.summary() + fmt::format("records: {}\n", out.string()));
  runner.rethrow_failure();
}

}  // namespace agpusim
