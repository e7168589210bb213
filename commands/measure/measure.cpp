#include "agpusim/commands/measure/measure.hpp"

#include <limits>
#include <map>
#include <memory>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/machines.hpp"
#include "agpusim/cli/measure_times.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/plan_report.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/suggest.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/counts/counts.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/records/config_json.hpp"
#include "agpusim/validation/records/ncu_csv.hpp"
#include "agpusim/validation/records/record.hpp"

namespace agpusim {
namespace {

namespace fs = std::filesystem;

/// Checksums of the sequential references; the machine does not matter to them.
class References {
 public:
  std::uint64_t checksum(const RunConfig& config) {
    const RunConfig run = reference_run(catalog(), config);
    RunConfig key = run;
    key.spec = AgpuSpec{};
    const auto [it, inserted] = known_.try_emplace(config_to_json(key), 0);
    if (inserted) it->second = catalog().find(run.algorithm).reference(run);
    return it->second;
  }

 private:
  std::map<std::string, std::uint64_t> known_;
};

PlanResult run_for_profiler(const Plan& plan, const CudaSupport& cuda, const fs::path& out,
                            std::optional<double> max_seconds) {
  const Environment environment = cuda.environment();
  References references;
  std::string lines;
  PlanResult result = execute(
      plan, max_seconds, [](const RunConfig&) { return false; },
      [&](const RunConfig& config) {
        const Algorithm& algorithm = catalog().find(config.algorithm);
        CountOptions counting;
        counting.stored = &bundled_counts();
        counting.simulate_limit = std::numeric_limits<double>::infinity();  // which kernels exactly
        const std::uint64_t expected = references.checksum(config);
        cuda.run_once(config, expected);
        PlanRecord record;
        record.environment = environment;
        record.config = config;
        record.checksum = expected;
        record.date = utc_now();
        record.process = getpid();
        for (const PhaseReport& phase : count(algorithm, config, counting).report.phases) {
          record.kernels.push_back(phase.kernel);
        }
        lines += to_line(record) + '\n';
        return Samples{};
      });
  write_file(out, lines);
  result.device = environment.device;
  result.file = out;
  return result;
}

std::vector<RunConfig> timed_runs(const fs::path& file) {
  std::vector<RunConfig> runs;
  for (const TimingRecord& record : read_records(file).timings) runs.push_back(record.config);
  return runs;
}

std::string algorithm_help() {
  std::vector<std::string> names;
  for (const Algorithm& row : catalog().on_agpu()) {
    names.insert(names.end(), row.peers.begin(), row.peers.end());
  }
  return fmt::format("only these; may be repeated; also the library's {}", fmt::join(names, ", "));
}

/// Throws UsageError for a name that cannot be measured.
void require_measurable(const std::string& name, bool profile) {
  const Algorithm* const row = catalog().row_of_peer(name);
  if (row == nullptr) {
    static_cast<void>(find_algorithm(name));
  } else if (profile) {
    throw UsageError(
        fmt::format("{0} is a library's program without counts that a profile could be compared "
                    "with: measure {0} without --profile, or profile {1}",
                    name, row->name));
  }
}

}  // namespace

void setup_measure(CLI::App& app) {
  const auto options = std::make_shared<MeasureOptions>();
  CLI::App* const command =
      add_command(app, "measure", "Measure the algorithms on this machine's GPU (needs CUDA)");
  command->add_option("--algorithm", options->algorithms, algorithm_help())
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  command->add_option("--variant", options->variants, "only runs of this variant; may be repeated")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  command
      ->add_option("--machine", options->machines,
                   "only on this machine; may be repeated (default: h200, h200-wide, h200-full)")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  command
      ->add_option("--input", options->inputs,
                   "times of this kind of input at every power of two; may be repeated (default: "
                   "the row's first kind at all sizes, the others at 2^20)")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  add_set(*command, options->set,
          "parameter of all these algorithms, but not of peers; may be repeated");
  add_size(*command, "--n-min", options->n_min, "smallest input", {.example = "2^10"});
  add_size(*command, "--n-max", options->n_max, "largest input", {.example = "2^26"});
  CLI::Option* const again =
      command
          ->add_option("--again", options->again,
                       "the timed runs of this file, of all sizes, into another one")
          ->type_name("FILE.jsonl");
  command
      ->add_option("--out", options->out,
                   "file that the records are added to; runs it already has are skipped (default: "
                   "agpusim-times.jsonl, with --profile agpusim-plan.jsonl)")
      ->type_name("FILE.jsonl");
  add_text(*command, "--plan", "what to run: default (times) or profile",
           [options](const std::string& /*name*/, const std::string& plan) {
             if (plan == "profile") {
               options->profile = true;
             } else if (plan != "default") {
               throw unknown_name("plan", plan, {"default", "profile"});
             }
           })
      ->type_name("NAME")
      ->default_str("default");
  command->add_flag(
      "--profile", options->profile,
      "run everything once for Nsight Compute and write the plan for import-counters");
  for (const char* const planned : {"--machine", "--input", "--set", "--plan", "--profile"}) {
    again->excludes(command->get_option(planned));
  }
  add_max_seconds(*command, options->max_seconds, "start no run after this many seconds");
  add_report_options(*command, options->output);
  command->footer(
      "Ctrl-C completes the run at hand and stops; the same command goes on later.\n\nExamples:\n"
      "  agpusim measure --out h200.jsonl\n"
      "  agpusim measure --again h200.jsonl --algorithm scan --out scan.jsonl\n"
      "  ncu --clock-control none --csv --page raw ... agpusim measure --profile --out plan.jsonl");
  command->callback([options, command] {
    if (!options->again.empty()) {
      if (command->count("--n-min") == 0) options->n_min = 1;
      if (command->count("--n-max") == 0) options->n_max = SizeRange{}.max;
    }
    run_measure(*options);
  });
}

void run_measure(const MeasureOptions& options, const std::function<CudaSupport()>& cuda) {
  if (options.n_min > options.n_max) {
    throw UsageError(fmt::format("--n-min {} is larger than --n-max {}", size_text(options.n_min),
                                 size_text(options.n_max)));
  }
  const bool profile = options.profile;
  for (const std::string& name : options.algorithms) require_measurable(name, profile);
  for (const std::string& name : options.machines) static_cast<void>(find_machine(name));
  const std::string default_out = profile ? "agpusim-plan.jsonl" : "agpusim-times.jsonl";
  const fs::path out = options.out.empty() ? default_out : options.out;

  const Plan plan = profile                 ? profile_plan(catalog(), options)
                    : options.again.empty() ? timing_plan(catalog(), options)
                                            : repeated_plan(timed_runs(options.again), options);

  exit_on_interrupt();
  const CudaSupport device = cuda();
  static_cast<void>(device.environment());  // refuses a machine without a GPU
  require_outputs({{"--out", out.string()}, {"--html", options.output.html}});
  defer_interrupt();
  References references;
  put_results({profile ? run_for_profiler(plan, device, out, options.max_seconds)
                       : measure_times(
                             plan, device, out, options.max_seconds,
                             [&](const RunConfig& config) { return references.checksum(config); })},
              options.output);
}

}  // namespace agpusim
