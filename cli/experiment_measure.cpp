#include "agpusim/cli/experiment_measure.hpp"

#include <ctime>
#include <set>
#include <string>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "agpusim/cli/plan_runner.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/validation/predict/stats.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim {
namespace {

/// Keeps the last checksum, since the runs of one input follow each other.
class Expectation {
 public:
  explicit Expectation(const ExpectedResult& expected) : expected_(expected) {}

  std::uint64_t checksum(const RunConfig& config) {
    RunConfig key = expected_.key(config);
    if (!key_ || key != *key_) {
      checksum_ = expected_.checksum(key);
      key_ = std::move(key);
    }
    return checksum_;
  }

 private:
  const ExpectedResult& expected_;
  std::optional<RunConfig> key_;
  std::uint64_t checksum_ = 0;
};

std::set<std::string> recorded_runs(const std::filesystem::path& path, const std::string& device) {
  std::set<std::string> runs;
  if (!std::filesystem::is_regular_file(path)) return runs;
  for (const TimingRecord& record : read_records(path).timings) {
    if (record.environment.device == device) runs.insert(config_to_json(record.config));
  }
  return runs;
}

}  // namespace

void measure_runs(const std::vector<RunConfig>& runs, const CudaSupport& cuda,
                  const std::filesystem::path& out, std::optional<double> max_seconds,
                  const ExpectedResult& expected) {
  const Environment environment = cuda.environment();
  const std::set<std::string> recorded = recorded_runs(out, environment.device);
  Expectation expectation(expected);
  Plan plan;
  plan.configs = runs;
  PlanRunner runner(plan, max_seconds);
  runner.execute(
      [&](const RunConfig& config) { return recorded.contains(config_to_json(config)); },
      [&](const RunConfig& config) {
        TimingRecord record;
        record.environment = environment;
        record.config = config;
        record.checksum = expectation.checksum(config);
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
