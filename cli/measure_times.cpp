#include "agpusim/cli/measure_times.hpp"

#include <set>
#include <string>

#include "agpusim/cli/output_file.hpp"
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

PlanResult measure_times(const Plan& plan, const CudaSupport& cuda,
                         const std::filesystem::path& out, std::optional<double> max_seconds,
                         const std::function<std::uint64_t(const RunConfig&)>& expected) {
  const Environment environment = cuda.environment();
  const std::set<std::string> recorded = recorded_runs(out, environment.device);
  PlanResult result = execute(
      plan, max_seconds,
      [&](const RunConfig& config) { return recorded.contains(config_to_json(config)); },
      [&](const RunConfig& config) {
        TimingRecord record;
        record.environment = environment;
        record.config = config;
        record.checksum = expected(config);
        record.samples = cuda.time(config, record.checksum, SamplingRule{});
        record.date = utc_now();
        add_records(out, {to_line(record)});
        return record.samples;
      });
  result.device = environment.device;
  result.file = out;
  return result;
}

}  // namespace agpusim
