#include <filesystem>

#include <fmt/format.h>

#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"
#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/experiment_measure.hpp"
#include "agpusim/cli/experiment_report.hpp"
#include "agpusim/cli/experiment_table.hpp"
#include "agpusim/cli/machines.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/experiments/integer_sorts/to_report.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

/// Where our rows run: tasks of 256 lanes, 8 of them on each multiprocessor; bins in shared memory
/// get all of a multiprocessor, which holds more of them and merges fewer copies.
constexpr const char* global_machine = "h200-block";
constexpr const char* shared_machine = "h200-wide";

ExperimentMachines experiment_machines() {
  return {find_machine(global_machine).spec, find_machine(shared_machine).spec};
}

CellChoice cells_of(const ExperimentCommand& command) {
  CellChoice choice;
  choice.quick = command.quick;
  if (!command.n_max.empty()) choice.n_max = parse_size("--n-max", command.n_max);
  return choice;
}

/// The keys that the result of a sort must be.
RunConfig keys_of(const RunConfig& config) {
  RunConfig keys = config;
  keys.algorithm.clear();
  keys.variant.clear();
  keys.spec = AgpuSpec{};
  return keys;
}

void measure_sorts(const std::vector<RunConfig>& runs, const ExperimentCommand& command,
                   const CudaSupport& cuda, const fs::path& out) {
  measure_runs(runs, cuda, out, time_limit(command), {keys_of, sorted_keys_checksum});
}

void measure(const ExperimentCommand& command, const CudaSupport& cuda) {
  if (!command.calibrate.empty()) {
    measure_sorts(cub_calibration_runs(command.quick), command, cuda, command.calibrate);
  }
  if (!command.measure.empty()) {
    measure_sorts(
        experiment_runs(kozakai_cells(cells_of(command)), catalog(), experiment_machines()),
        command, cuda, command.measure);
  }
}

Experiment analyze(const ExperimentCommand& command) {
  ExperimentOptions options;
  options.records =
      read_timings(command.records.empty()
                       ? std::vector<fs::path>{bundled_records("integer_sorts/kozakai.jsonl")}
                       : std::vector<fs::path>(command.records.begin(), command.records.end()));
  options.calibration =
      read_timings({command.cub_records.empty() ? bundled_records("integer_sorts/cub_radix.jsonl")
                                                : fs::path(command.cub_records)});
  options.device = device_of(command, options.records);
  options.machines = experiment_machines();
  options.cells = cells_of(command);
  options.threads = parse_threads(command.threads);
  Progress progress;
  options.progress = [&](double fraction) {
    progress.show(fmt::format("{:3.0f} % predicted", 100 * fraction));
  };
  return kozakai_experiment(catalog(), options);
}

}  // namespace

PaperExperiment kozakai_paper() {
  return {"integer-sorts",
          "kozakai",
          "Integer sorts from histograms and prefix sums against CUB radix sort, on the five data\n"
          "sets of Kozakai 2022 (seed 000)",
          true,
          measure,
          [](const ExperimentCommand& command) { print_report(command, analyze); }};
}

}  // namespace agpusim
