#include "agpusim/validation/why/why.hpp"

#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/compare_machines.hpp"
#include "agpusim/cli/host_memory.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/run.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/records/measurement.hpp"

namespace agpusim {
namespace {

struct WhyOptions {
  RunOptions run;
  DeviceChoice device;
};

/// The constants that predict times on the machine. Throws UsageError where there are none.
DeviceFile device_of(const WhyOptions& options) {
  const DeviceChoice choice{options.device.device, options.device.devices, {}};
  auto machine = compared_machines(options.run.machine, choice, {}).front();
  if (machine.constants) return *std::move(machine.constants);
  throw UsageError(fmt::format("no time is predicted on {}: {}", machine.spec.to_string(),
                               machine.why_not_predicted));
}

/// The latest time of this run on the device.
std::optional<why::Measured> measured(const RunConfig& config, const std::string& device,
                                      const std::vector<std::string>& files) {
  std::vector<std::filesystem::path> paths(files.begin(), files.end());
  if (paths.empty()) paths = record_folders();
  std::vector<TimingRecord> records = read_all_records(paths).timings;
  std::erase_if(records, [&](const TimingRecord& record) {
    return record.environment.device != device || !(record.config == config);
  });
  const RecordsByRun latest = latest_by_run(records);
  if (latest.empty()) return std::nullopt;
  const TimingRecord& record = *latest.begin()->second;
  return why::Measured{measurement_of(record).ms, short_origin(record.origin)};
}

void run_why(const WhyOptions& options) {
  const RunConfig config = make_config(options.run);
  require_output(options.run.output, options.device.records);
  const DeviceFile device = device_of(options);
  exit_on_interrupt();
  Progress progress;
  CountOptions counting;
  counting.stored = &bundled_counts();
  counting.require_memory = [](const RunConfig& run) { require_host_memory(run); };
  counting.progress = [&](const SimulationProgress& done) {
    progress.show(fmt::format("simulating {}: phase {}", config.algorithm, done.phases + 1));
  };
  const Counted counted = count(find_algorithm(config.algorithm), config, counting);
  const std::string source =
      counted.source == CountSource::extrapolated
          ? fmt::format("extrapolated from n = {}: an estimate", counted.from_n)
          : to_string(counted.source);
  put_report(why::to_report(why::explain(config, counted.report.phases, device, source,
                                         measured(config, device.name, options.device.records))),
             options.run.output);
}

}  // namespace

void setup_why(CLI::App& app) {
  const auto options = std::make_shared<WhyOptions>();
  CLI::App* const command = add_command(
      app, "why", "Explain the predicted time of a run: its parts, and which counts to lower");
  add_config_options(*command, options->run);
  command
      ->add_option("--device", options->device.device,
                   "whose constants predict (default: the machine's)")
      ->type_name("NAME");
  command->add_option("--devices", options->device.devices, "folder of device files, or one file")
      ->type_name("DIR");
  command
      ->add_option("--records", options->device.records,
                   "record files or folders with a measured time (default: the measurements that "
                   "agpusim carries)")
      ->type_name("PATH");
  add_report_options(*command, options->run.output);
  command->footer("Example: agpusim why bitonic_sort --n 2^20");
  command->callback([options] {
    options->run.machine.devices = options->device.devices;
    run_why(*options);
  });
}

}  // namespace agpusim
