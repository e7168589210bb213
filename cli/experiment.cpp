#include "agpusim/cli/experiment.hpp"

#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/experiment_measure.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/machines.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/suggest.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/data_folder.hpp"
#include "agpusim/validation/experiment/writers.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kozakai = "kozakai";
constexpr const char* list_text =
    "kozakai  Integer sorts from histograms and prefix sums against CUB radix sort, on the five "
    "data\n         sets of Kozakai 2022 (seed 000)\n";

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

void measure(const ExperimentCommand& command, const std::function<CudaSupport()>& cuda) {
  std::optional<double> max_seconds;
  if (!command.max_seconds.empty()) {
    max_seconds = static_cast<double>(
        parse_size("--max-seconds", command.max_seconds, {.min = 0, .example = "600"}));
  }
  const CellChoice choice = cells_of(command);
  const CudaSupport device = cuda();
  for (const std::string& out : {command.calibrate, command.measure}) {
    if (!out.empty()) require_writable(out, "choose another place");
  }
  defer_interrupt();
  if (!command.calibrate.empty()) {
    measure_sorts(cub_calibration_runs(command.quick), device, command.calibrate, max_seconds);
  }
  if (!command.measure.empty()) {
    measure_sorts(experiment_runs(kozakai_cells(choice), catalog(), experiment_machines()), device,
                  command.measure, max_seconds);
  }
  exit_if_interrupted();
}

std::vector<TimingRecord> read_timings(const std::vector<fs::path>& paths) {
  std::vector<TimingRecord> all;
  for (const fs::path& path : paths) {
    std::vector<TimingRecord> some = read_records(path).timings;
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

/// A bundled record file.
fs::path bundled(const char* name) { return data_folder() / "experiment_data" / "h200" / name; }

Experiment analyze(const ExperimentCommand& command) {
  ExperimentOptions options;
  options.records =
      read_timings(command.records.empty()
                       ? std::vector<fs::path>{bundled("kozakai.jsonl")}
                       : std::vector<fs::path>(command.records.begin(), command.records.end()));
  options.calibration = read_timings(
      {command.cub_records.empty() ? bundled("cub_radix.jsonl") : fs::path(command.cub_records)});
  if (options.records.empty()) {
    throw UsageError("the files hold no times: measure with --measure FILE.jsonl");
  }
  options.device =
      find_device(command.devices.empty() ? data_folder() / "devices" : fs::path(command.devices),
                  options.records.front().environment.device);
  options.machines = experiment_machines();
  options.cells = cells_of(command);
  options.threads = parse_threads(command.threads);
  Progress progress;
  options.progress = [&](double fraction) {
    progress.show(fmt::format("{:3.0f} % predicted", 100 * fraction));
  };
  return kozakai_experiment(catalog(), options);
}

void report(const ExperimentCommand& command) {
  if (!command.html.empty()) require_writable(command.html, "choose another place with --html");
  exit_on_interrupt();
  const Experiment experiment = analyze(command);
  if (!command.html.empty()) {
    defer_interrupt();
    write_html(experiment, command.html);
    exit_if_interrupted();
    message(fmt::format("page: {}", command.html));
  }
  if (command.json) {
    print(to_json(experiment));
  } else if (command.csv) {
    print(to_csv(experiment));
  } else {
    print(to_text(experiment));
  }
}

}  // namespace

void setup_experiment(CLI::App& app) {
  const auto command = std::make_shared<ExperimentCommand>();
  CLI::App* const sub = app.add_subcommand(
      "experiment",
      "Repeat a paper's experiment: what it found, what the counts predict, what a GPU says");
  sub->add_option("name", command->name, "which one (default: list them)")->type_name("NAME");
  CLI::Option* const measure =
      sub->add_option("--measure", command->measure,
                      "time every run on this machine's GPU (needs CUDA) and add the records to "
                      "this file; runs it already has are skipped")
          ->type_name("FILE.jsonl");
  CLI::Option* const calibrate =
      sub->add_option("--calibrate", command->calibrate,
                      "time CUB radix sort by itself, for the prediction of its time, likewise")
          ->type_name("FILE.jsonl");
  sub->add_flag("--quick", command->quick, "only one small input per data set");
  sub->add_option("--n-max", command->n_max, "largest input")->type_name("SIZE");
  sub->add_option("--max-seconds", command->max_seconds,
                  "start no run after this many seconds of either measurement")
      ->type_name("NUMBER");
  sub->add_option("--records", command->records,
                  "analyse these files (default: the measurements that agpusim carries)")
      ->type_name("FILE.jsonl")
      ->expected(1)
      ->take_all()
      ->excludes(measure)
      ->excludes(calibrate);
  sub->add_option("--cub-records", command->cub_records,
                  "what --calibrate measured (default: the measurements that agpusim carries)")
      ->type_name("FILE.jsonl");
  sub->add_option("--devices", command->devices, "folder of device files")->type_name("DIR");
  sub->add_option("--html", command->html, "also write a page with plots")->type_name("FILE");
  CLI::Option* const json = sub->add_flag("--json", command->json, "print JSON");
  sub->add_flag("--csv", command->csv, "print CSV")->excludes(json);
  sub->add_option("--threads", command->threads, "host threads (0: one per core)")
      ->type_name("NUMBER")
      ->capture_default_str();
  sub->footer(
      "Ctrl-C completes the run at hand and stops; the same command goes on later.\n\nExamples:\n"
      "  agpusim experiment kozakai --html kozakai.html\n"
      "  agpusim experiment kozakai --calibrate cub.jsonl --measure kozakai.jsonl\n"
      "  agpusim experiment kozakai --records kozakai.jsonl --cub-records cub.jsonl");
  sub->callback([command] { run_experiment(*command); });
}

void run_experiment(const ExperimentCommand& command, const std::function<CudaSupport()>& cuda) {
  if (command.name.empty()) {
    print(list_text);
  } else if (command.name != kozakai) {
    throw unknown_name("experiment", command.name, {kozakai});
  } else if (!command.measure.empty() || !command.calibrate.empty()) {
    measure(command, cuda);
  } else {
    report(command);
  }
}

}  // namespace agpusim
