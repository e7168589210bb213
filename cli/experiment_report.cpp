#include "agpusim/cli/experiment_report.hpp"

#include <iterator>
#include <utility>

#include "agpusim/cli/sizes.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim {

namespace fs = std::filesystem;

std::optional<double> time_limit(const ExperimentCommand& command) {
  if (command.max_seconds.empty()) return std::nullopt;
  return static_cast<double>(
      parse_size("--max-seconds", command.max_seconds, {.min = 0, .example = "600"}));
}

fs::path bundled_records(const std::string& name) { return data_folder() / "data" / "h200" / name; }

std::vector<TimingRecord> read_timings(const std::vector<fs::path>& paths) {
  std::vector<TimingRecord> all;
  for (const fs::path& path : paths) {
    std::vector<TimingRecord> some = read_records(path).timings;
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

DeviceFile device_of(const ExperimentCommand& command, const std::vector<TimingRecord>& records) {
  if (records.empty()) {
    throw UsageError("the files hold no times: measure with --measure FILE.jsonl");
  }
  return find_device(
      command.devices.empty() ? data_folder() / "devices" : fs::path(command.devices),
      records.front().environment.device);
}

}  // namespace agpusim
