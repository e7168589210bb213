#include <memory>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/host_memory.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/run_time.hpp"
#include "agpusim/cli/selection_options.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/why/explain.hpp"
#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/records/record.hpp"
#include "agpusim/validation/rows/evaluate.hpp"

namespace agpusim {
namespace {

/// What the lines of a run of at most this n cost that takes a moment; none where no such is found.
RunReport by_line(const Algorithm& algorithm, const RunConfig& config) {
  constexpr double most = 1 << 26;  // lane operations
  std::optional<RunConfig> small = config;
  if (!is_given(config.input)) {
    small = with_size(algorithm, config, affordable_n(algorithm, config, config.n, most));
    if (small && estimated_lane_operations(algorithm, *small) > 8 * most) small.reset();
  }
  if (!small) return {};
  SimulationOptions simulation;
  simulation.by_line = true;
  return algorithm.simulate(*small, simulation).report;
}

void run_why(const RunOptions& options) {
  Selection selection = selection_of(options);
  require_output(options.output, options.device.records);
  selection.machines = {predicted_machine(options.machine, options.device)};
  const Run run = run_of(catalog(), selection);
  const RunConfig& config = run.config;
  const auto& files = options.device.records;
  auto timings = records_of({files.begin(), files.end()}, {config.algorithm}).timings;
  std::erase_if(timings, [&](const TimingRecord& timing) { return timing.config != config; });
  const RecordsByRun records = latest_by_run(timings, run.device->name);
  exit_on_interrupt();
  Progress progress;
  Sources sources;
  sources.records = &records;
  sources.counting.require_memory = require_host_memory;
  sources.counting.progress = [&](const SimulationProgress& done) {
    progress.show(fmt::format("simulating {}: phase {}", config.algorithm, done.phases + 1));
  };
  Row row = evaluate(run, sources);
  put_report(why::to_report(why::explain(std::move(row), by_line(*run.algorithm, config))),
             options.output);
}

}  // namespace

void setup_why(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* const command = add_command(
      app, "why", "Explain the predicted time of a run: its parts, and which counts to lower");
  add_config_options(*command, *options);
  command->remove_option(command->get_option("--no-checks"));  // no prediction without rules
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
  add_report_options(*command, options->output);
  command->footer("Example: agpusim why bitonic_sort --n 2^20");
  command->callback([options] {
    options->machine.devices = options->device.devices;
    run_why(*options);
  });
}

}  // namespace agpusim
