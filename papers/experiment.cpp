#include "agpusim/papers/experiment.hpp"

#include <algorithm>
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
#include "agpusim/cli/suggest.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/papers/experiment_table.hpp"
#include "agpusim/papers/out_of_core/cuda_runs.hpp"
#include "agpusim/validation/records/config_json.hpp"

namespace agpusim {
namespace {

const std::vector<PaperExperiment>& paper_experiments() {
  static const std::vector<PaperExperiment> table = {
      {"integer-sorts", "kozakai",
       "integer sorts from histograms and prefix sums against CUB radix sort, on five data sets "
       "(Kozakai 2022, seed 000)",
       "integer_sorts/plan.json", "integer_sorts/calibration.json", integer_sorts_report},
      {"statistics", "nishimura",
       "minimum, maximum, mean and variance: the paper's times from counts, and a GPU of today "
       "(Nishimura and Toyonaga, seed 003)",
       "statistics/plan.json", "", statistics_report},
      {"out-of-core", "miura",
       "arrays larger than the device's memory: the transfer model, and a GPU of today (Miura, "
       "Chang and Miyazaki, seed 004)",
       "", "", out_of_core_report, measure_out_of_core}};
  return table;
}

report::Report experiments_report() {
  const auto text = [](const char* key, std::string PaperExperiment::*member) {
    return report::Column<PaperExperiment>{{key, key}, [member](const PaperExperiment& experiment) {
                                             return report::Value(experiment.*member);
                                           }};
  };
  const std::vector<report::Column<PaperExperiment>> columns = {
      text("name", &PaperExperiment::name), text("alias", &PaperExperiment::alias),
      text("about", &PaperExperiment::summary)};
  report::Report written;
  written.body.tables = {report::table("experiments", columns, paper_experiments())};
  written.body.tables.front().csv = true;
  return written;
}

const PaperExperiment& find_experiment(const std::string& name) {
  const auto& all = paper_experiments();
  const auto it = std::find_if(all.begin(), all.end(), [&](const PaperExperiment& experiment) {
    return experiment.name == name || experiment.alias == name;
  });
  if (it != all.end()) return *it;
  std::vector<std::string> known;
  for (const PaperExperiment& experiment : all) {
    known.insert(known.end(), {experiment.name, experiment.alias});
  }
  throw unknown_name("experiment", name, known);
}

/// Checksums of results. Keeps the last one, since the runs of one input follow each other.
class LastReference {
 public:
  std::uint64_t checksum(const RunConfig& reference) {
    if (!last_ || reference != *last_) {
      checksum_ = find_algorithm(reference.algorithm).reference(reference);
      last_ = reference;
    }
    return checksum_;
  }

 private:
  std::optional<RunConfig> last_;
  std::uint64_t checksum_ = 0;
};

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
  LastReference last;
  return measure_times(plan, cuda, out, max_seconds, [&](const RunConfig& config) {
    return last.checksum(references.at(config_to_json(config)));
  });
}

void measure(const PaperExperiment& experiment, const ExperimentCommand& command,
             const std::function<CudaSupport()>& cuda) {
  const contest::SizeChoice sizes = sizes_of(command);
  exit_on_interrupt();
  const CudaSupport device = cuda();
  static_cast<void>(device.environment());  // refuses a machine without a GPU
  require_outputs({{"--calibrate", command.calibrate},
                   {"--measure", command.measure},
                   {"--html", command.output.html}});
  defer_interrupt();
  std::vector<PlanResult> results;
  if (!command.calibrate.empty()) {
    results.push_back(measure_plan(experiment.calibration, {.quick = command.quick}, device,
                                   command.calibrate, command.max_seconds));
  }
  if (!command.measure.empty()) {
    results.push_back(
        experiment.measure != nullptr
            ? experiment.measure(command, device)
            : measure_plan(experiment.plan, sizes, device, command.measure, command.max_seconds));
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
  sub->add_flag("--quick", command->quick,
                "only small inputs: one per data set (integer-sorts), n <= 10^5 (statistics)");
  add_size(*sub, "--n-max", command->n_max, "largest input")->default_str("");
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
