#include <memory>

#include <fmt/format.h>

#include "agpusim/cli/machines.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/papers/experiment_table.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim {

namespace fs = std::filesystem;

contest::SizeChoice sizes_of(const ExperimentCommand& command) {
  return {.quick = command.quick, .n_max = command.n_max};
}

std::vector<fs::path> records_of(const ExperimentCommand& command, const std::string& bundled) {
  if (command.records.empty()) return {data_folder() / "data" / "h200" / bundled};
  return {command.records.begin(), command.records.end()};
}

DeviceFile device_of(const ExperimentCommand& command, const std::string& device) {
  return find_device(
      command.devices.empty() ? data_folder() / "devices" : fs::path(command.devices), device);
}

AgpuSpec spec_of_machine(const std::string& name) { return find_machine(name).spec; }

contest::ContestOptions contest_options(const ExperimentCommand& command,
                                        const std::string& bundled) {
  contest::ContestOptions options;
  options.records = read_all_records(records_of(command, bundled)).timings;
  if (options.records.empty()) {
    throw UsageError("the files hold no times: measure with --measure FILE.jsonl");
  }
  options.device = device_of(command, options.records.front().environment.device);
  options.sizes = sizes_of(command);
  options.machine = spec_of_machine;
  options.threads = command.threads;
  options.progress = [progress = std::make_shared<Progress>()](double fraction) {
    progress->show(fmt::format("{:3.0f} % predicted", 100 * fraction));
  };
  return options;
}

}  // namespace agpusim
