#include <ctime>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/experiment_table.hpp"
#include "agpusim/cli/plan_runner.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/validation/predict/stats.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim {
namespace {

/// Checksums of results. Keeps the last one, since the runs of one input follow each other.
class References {
 public:
  void add(const comparison::RunToMeasure& run) {
    runs_.emplace(config_to_json(run.config), run.reference);
  }

  std::uint64_t checksum(const RunConfig& config) {
    const RunConfig& reference = runs_.at(config_to_json(config));
    if (last_ == nullptr || reference != *last_) {
      checksum_ = find_algorithm(reference.algorithm).reference(reference);
      last_ = &reference;
    }
    return checksum_;
  }

 private:
  std::map<std::string, RunConfig> runs_;
  const RunConfig* last_ = nullptr;
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

void measure_plan(const comparison::Plan& plan, const comparison::SizeChoice& sizes,
                  const CudaSupport& cuda, const std::filesystem::path& out,
                  std::optional<double> max_seconds) {
  const Environment environment = cuda.environment();
  const std::set<std::string> recorded = recorded_runs(out, environment.device);
  References references;
  Plan runs;
  for (comparison::RunToMeasure& run : comparison::runs_of(
           comparison::events_of(plan, sizes, catalog(), spec_of_machine), catalog())) {
    references.add(run);
    runs.configs.push_back(std::move(run.config));
  }
  PlanRunner runner(runs, max_seconds);
  runner.execute(
      [&](const RunConfig& config) { return recorded.contains(config_to_json(config)); },
      [&](const RunConfig& config) {
        TimingRecord record;
        record.environment = environment;
        record.config = config;
        record.checksum = references.checksum(config);
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
