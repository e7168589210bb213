#include <ctime>
#include <filesystem>
#include <map>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "agpusim/algorithms/statistics/accuracy.hpp"
#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/experiment_measure.hpp"
#include "agpusim/cli/experiment_report.hpp"
#include "agpusim/cli/experiment_table.hpp"
#include "agpusim/cli/machines.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/validation/experiments/statistics/to_report.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/data_folder.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

/// The machine of each card of the paper, and the name of the file that describes the card.
constexpr const char* card_machines[] = {"9400gt", "gt220", "gtx480"};

/// Numbers whose variance is computed; a second's work.
constexpr std::int64_t accuracy_n = 100'000;

std::vector<statistics_experiment::Card> cards() {
  std::vector<statistics_experiment::Card> result;
  for (const std::string machine : card_machines) {
    const DeviceFile device = load_device(data_folder() / "devices" / (machine + ".json"));
    result.push_back({device.name, machine, find_machine(machine).spec,
                      device.value("processor_clock"), device.value("bandwidth_peak")});
  }
  return result;
}

AgpuSpec spec_of(const std::string& machine) { return find_machine(machine).spec; }

statistics_experiment::SizeChoice sizes_of(const ExperimentCommand& command) {
  statistics_experiment::SizeChoice choice;
  choice.quick = command.quick;
  if (!command.n_max.empty()) choice.n_max = parse_size("--n-max", command.n_max);
  return choice;
}

void measure(const ExperimentCommand& command, const CudaSupport& cuda) {
  std::vector<RunConfig> runs;
  std::map<std::string, RunConfig> references;
  for (const statistics_experiment::PanelRun& run : statistics_experiment::panel_runs(
           statistics_experiment::panels(), sizes_of(command), catalog(), spec_of)) {
    runs.push_back(run.config);
    references.emplace(config_to_json(run.config), run.reference);
  }
  const ExpectedResult expected = {
      [&](const RunConfig& config) { return references.at(config_to_json(config)); },
      [](const RunConfig& reference) {
        return catalog().find(reference.algorithm).reference(reference);
      }};
  measure_runs(runs, cuda, command.measure, time_limit(command), expected);
}

/// The panels from the records of the command or the bundled ones; a build may carry none.
void add_comparison(statistics_experiment::Experiment& experiment,
                    const ExperimentCommand& command) {
  std::vector<fs::path> paths(command.records.begin(), command.records.end());
  if (paths.empty()) {
    paths = {bundled_records("statistics/nishimura.jsonl")};
    if (!fs::exists(paths.front())) {
      experiment.why_no_comparison = fmt::format(
          "not measured: there is no {}; measure with `agpusim experiment nishimura --measure "
          "FILE.jsonl` and name the file with --records",
          paths.front().string());
      return;
    }
  }
  statistics_experiment::ComparisonOptions options;
  options.records = read_timings(paths);
  options.device = device_of(command, options.records);
  options.sizes = sizes_of(command);
  options.machine = spec_of;
  Progress progress;
  options.progress = [&](double fraction) {
    progress.show(fmt::format("{:3.0f} % predicted", 100 * fraction));
  };
  experiment.comparison =
      statistics_experiment::compare_panels(statistics_experiment::panels(), catalog(), options);
}

statistics_experiment::Experiment analyze(const ExperimentCommand& command) {
  statistics_experiment::Experiment experiment;
  experiment.generated = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  experiment.account = statistics_experiment::account(
      catalog(), statistics_experiment::load_seed_times(data_folder() / "data" / "seed003.json"),
      cards());
  add_comparison(experiment, command);
  experiment.accuracy_n = accuracy_n;
  experiment.accuracy = statistics::variance_errors(accuracy_n, statistics_experiment::panel_seed);
  return experiment;
}

}  // namespace

PaperExperiment nishimura_paper() {
  return {"statistics",
          "nishimura",
          "Minimum, maximum, mean and variance of Nishimura and Toyonaga (seed 003): the paper's\n"
          "times from counts, and the same problems on a GPU of today",
          false,
          measure,
          [](const ExperimentCommand& command) { print_report(command, analyze); }};
}

}  // namespace agpusim
