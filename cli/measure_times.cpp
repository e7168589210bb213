#include "agpusim/cli/measure_times.hpp"

#include <set>
#include <string>

#include <fmt/format.h>

#include "agpusim/cli/plan_runner.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/validation/predict/stats.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim {
namespace {

/// The runs that a file already holds for this device.
std::set<std::string> recorded_runs(const std::filesystem::path& path, const std::string& device) {
  std::set<std::string> runs;
  if (!std::filesystem::is_regular_file(path)) return runs;
  for (const TimingRecord& record : read_records(path).timings) {
    if (record.environment.device == device) runs.insert(config_to_json(record.config));
  }
  return runs;
}

}  // namespace

void measure_times(const Plan& plan, const CudaSupport& cuda, const std::filesystem::path& out,
                   std::optional<double> max_seconds,
                   const std::function<std::uint64_t(const RunConfig&)>& expected) {
  const Environment environment = cuda.environment();
  const std::set<std::string> recorded = recorded_runs(out, environment.device);
  PlanRunner runner(plan, max_seconds);
  runner.execute([&](const RunConfig& config) { return recorded.contains(config_to_json(config)); },
                 [&](const RunConfig& config) {
                   TimingRecord record;
                   record.environment = environment;
                   record.config = config;
                   record.checksum = expected(config);
                   record.samples = cuda.time(config, record.checksum, SamplingRule{});
                   record.date = utc_now();
                   append_records(out, {to_line(record)});
                   return fmt::format("{:.4g} ms ({} samples, {})",
                                      median(record.samples.microseconds) / 1e3,
                                      record.samples.microseconds.size(), record.samples.stop);
                 });
  print(runner.summary() + fmt::format("records: {}\n", out.string()));
  runner.rethrow_failure();
}

}  // namespace agpusim
