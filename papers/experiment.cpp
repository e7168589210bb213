#include "agpusim/papers/experiment.hpp"

#include <map>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/measure_times.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/plan_report.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/papers/out_of_core/measured_task.hpp"
#include "agpusim/validation/records/config_json.hpp"

namespace agpusim {
namespace {

report::Report experiments_report() {
  const std::vector<report::Column<PaperExperiment>> columns = {
      {{"name", "name"}, &PaperExperiment::name},
      {{"alias", "alias"}, &PaperExperiment::alias},
      {{"about", "about"}, &PaperExperiment::summary}};
  report::Report written;
  written.body.tables = {report::table("experiments", columns, paper_experiments())};
  written.body.tables.front().csv = true;
  return written;
}

PlanResult measure_plan(const std::string& name, const contest::SizeChoice& sizes,
                        const CudaSupport& cuda, const std::filesystem::path& out,
                        std::optional<double> max_seconds) {
  Plan plan;
  std::map<std::string, RunConfig> references;
  for (const contest::RunToMeasure& run : contest::runs_of(
           contest::events_of(contest::bundled_plan(name), sizes, catalog(), spec_of_machine),
           catalog())) {
    plan.configs.push_back(run.config);
    references.emplace(config_to_json(run.config), run.reference);
  }
  std::optional<RunConfig> last;  // the runs of one input follow each other
  std::uint64_t checksum = 0;
  return measure_times(plan, cuda, out, max_seconds, [&](const RunConfig& config) {
    const RunConfig& reference = references.at(config_to_json(config));
    if (reference != last) checksum = find_algorithm(reference.algorithm).reference(reference);
    last = reference;
    return checksum;
  });
}

void measure(const PaperExperiment& experiment, const ExperimentCommand& command,
             const std::function<CudaSupport()>& cuda) {
  exit_on_interrupt();
  const CudaSupport device = cuda();
  static_cast<void>(device.environment());  // refuses a machine without a GPU
  require_outputs({{"--calibrate", command.calibrate},
                   {"--measure", command.measure},
                   {"--html", command.output.html}});
  defer_interrupt();
  std::vector<PlanResult> results;
  if (!command.calibrate.empty()) {
    results.push_back(measure_plan(experiment.calibration, {.quick = command.sizes.quick}, device,
                                   command.calibrate, command.max_seconds));
  }
  if (!command.measure.empty()) {
    results.push_back(experiment.measure != nullptr
                          ? experiment.measure(command, device)
                          : measure_plan(experiment.plan, command.sizes, device, command.measure,
                                         command.max_seconds));
  }
  put_results(results, command.output);
}

}  // namespace

CudaSupport cuda_of_papers() {
  CudaSupport support = require_cuda();
  out_of_core::add_cuda_runs(support);
  return support;
}

void setup_experiment(CLI::App& app) {
  const auto command = std::make_shared<ExperimentCommand>();
  CLI::App* const sub = add_command(
      app, "experiment",
      "Repeat a paper's experiment: what it found, what the counts predict, what a GPU says");
  sub->add_option("name", command->name, "which one (default: list them)")->type_name("NAME");
  CLI::Option* const measure =
      sub->add_option("--measure", command->measure,
                      "time every run on this machine's GPU (needs CUDA) and add the records to "
                      "this file; runs it already has are skipped")
          ->type_name("FILE.jsonl");
  CLI::Option* const calibrate =
      sub->add_option(
             "--calibrate", command->calibrate,
             "integer-sorts: time CUB radix sort by itself, for the prediction of its time, "
             "likewise")
          ->type_name("FILE.jsonl");
  sub->add_flag("--quick", command->sizes.quick,
                "only small inputs: one per data set (integer-sorts), n <= 10^5 (statistics)");
  add_size(*sub, "--n-max", command->sizes.n_max, "largest input")->default_str("");
  add_max_seconds(*sub, command->max_seconds,
                  "start no run after this many seconds of either measurement");
  sub->add_option("--records", command->records,
                  "analyse these files (default: the measurements that agpusim carries)")
      ->type_name("FILE.jsonl")
      ->expected(1)
      ->take_all()
      ->excludes(measure)
      ->excludes(calibrate);
  sub->add_option(
         "--cub-records", command->cub_records,
         "integer-sorts: what --calibrate measured (default: the measurements that agpusim "
         "carries)")
      ->type_name("FILE.jsonl");
  sub->add_option("--devices", command->devices, "folder of device files")->type_name("DIR");
  add_report_options(*sub, command->output);
  add_threads(*sub, command->threads);
  sub->footer(
      "Ctrl-C completes the run at hand and stops; the same command goes on later.\n\nExamples:\n"
      "  agpusim experiment integer-sorts --html sorts.html\n"
      "  agpusim experiment integer-sorts --calibrate cub.jsonl --measure sorts.jsonl\n"
      "  agpusim experiment integer-sorts --records sorts.jsonl --cub-records cub.jsonl\n"
      "  agpusim experiment statistics --html statistics.html\n"
      "  agpusim experiment statistics --measure statistics.jsonl --n-max 2^24");
  sub->callback([command] { run_experiment(*command); });
}

void run_experiment(const ExperimentCommand& command, const std::function<CudaSupport()>& cuda) {
  if (command.name.empty()) {
    require_output(command.output);
    put_report(experiments_report(), command.output);
    return;
  }
  const PaperExperiment& experiment = find_experiment(command.name);
  if (experiment.calibration.empty() &&
      !(command.calibrate.empty() && command.cub_records.empty())) {
    throw UsageError(fmt::format("{} has no calibration; leave --calibrate and --cub-records out",
                                 experiment.name));
  }
  if (!command.measure.empty() || !command.calibrate.empty()) {
    measure(experiment, command, cuda);
  } else {
    require_output(command.output, command.records);
    exit_on_interrupt();
    put_report(experiment.report(command), command.output);
  }
}

}  // namespace agpusim
