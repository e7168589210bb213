#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/host_memory.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/selection_options.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/steps/report.hpp"

namespace agpusim {
namespace {

/// So many lines of text are printed where nobody asks for more.
constexpr std::ptrdiff_t most_lines = 400;

struct StepCommand {
  RunOptions run;
  bool pram = false;
  std::optional<PramAccess> access;
  TraceLimits limits;
  bool limited = false;  ///< by --limit
  std::optional<std::int64_t> at;
  bool json = false;
  bool csv = false;
  std::string html;
  std::string svg;
};

/// One run as the options describe it. What breaks a rule ends the run and is part of it.
SteppedRun step_agpu(const RunOptions& options, const TraceLimits& limits) {
  const Selection selection = selection_of(options);
  const Run chosen = run_of(catalog(), selection);
  const RunConfig& config = chosen.config;
  require_host_memory(config);
  StepRecorder recorder(config.spec, limits);
  SimulationOptions simulation;
  simulation.checks = !options.no_checks;
  simulation.observer = &recorder;
  SteppedRun run;
  run.title = fmt::format("{}{}, n = {}, {}, input {}", config.algorithm,
                          config.variant.empty() ? "" : " (" + config.variant + ")", config.n,
                          config.type, config.input);
  run.machine = config.spec.to_string();
  run.variant = config.variant;
  run.n = config.n;
  try {
    run.report = chosen.algorithm->simulate(config, simulation).report;
  } catch (const RuleViolation& violation) {
    run.violation = violation.what();
  }
  run.agpu = recorder.trace();
  return run;
}

SteppedRun step_pram(const StepCommand& command, const RunOptions& options) {
  RunConfig config = make_pram_config(options);
  const Algorithm& algorithm = find_pram_algorithm(config.algorithm);
  if (command.access) config.pram->access = *command.access;
  const std::int64_t work = pram_form(algorithm, config).work;
  if (work > command.limits.instructions) {
    throw UsageError(fmt::format(
        "{} with n = {} has {} operations, and --limit allows {}: choose a smaller --n "
        "or a larger --limit",
        config.algorithm, config.n, size_text(work), size_text(command.limits.instructions)));
  }
  SteppedRun run;
  run.title = fmt::format("{}{}, n = {}, input {}", config.algorithm,
                          config.variant.empty() ? "" : " (" + config.variant + ")", config.n,
                          config.input);
  run.machine = config.pram->to_string();
  run.variant = config.variant;
  run.n = config.n;
  PramTrace trace;
  PramOptions pram_options;
  pram_options.threads = 1;
  pram_options.trace = &trace;
  try {
    if (!algorithm.pram->run(config, pram_options).correct) run.title += "; the result is WRONG";
  } catch (const RuleViolation& violation) {
    run.violation = violation.what();
  }
  run.pram = std::move(trace);
  return run;
}

/// A run for every combination of the listed sizes, machines and variants. A combination that
/// cannot run is left out where there are others.
std::vector<SteppedRun> step_all(const StepCommand& command) {
  const bool pram =
      command.pram || (catalog().find_or_null(command.run.algorithm) == nullptr &&
                       catalog().find_on_pram_or_null(command.run.algorithm) != nullptr);
  std::vector<SteppedRun> runs;
  std::optional<UsageError> refused;
  RunOptions options = command.run;
  if (pram) options.pram.emplace();
  const auto each = []<class T>(const std::vector<T>& given) {
    std::vector<std::vector<T>> one(given.empty() ? 1 : 0);
    for (const T& value : given) one.push_back({value});
    return one;
  };
  for (const auto& n : each(command.run.n)) {
    for (const auto& b : each(command.run.machine.block_words)) {
      for (const auto& words : each(command.run.machine.shared_words)) {
        for (const std::string& variant : list_items(command.run.variant)) {
          options.n = n;
          options.machine.block_words = b;
          options.machine.shared_words = words;
          options.variant = variant;
          try {
            runs.push_back(pram ? step_pram(command, options) : step_agpu(options, command.limits));
          } catch (const UsageError& error) {
            refused = error;
          }
        }
      }
    }
  }
  if (runs.empty() && refused) throw UsageError(*refused);
  return runs;
}

void run_step(const StepCommand& command) {
  require_outputs({{"--html", command.html}, {"--svg", command.svg}});
  const std::vector<SteppedRun> runs = step_all(command);
  if (!command.html.empty()) {
    write_file(command.html, step_page(runs));
    message(fmt::format("page: {}", command.html));
    for (const SteppedRun& run : runs) {
      if (const std::string note = left_out(run); !note.empty()) message(note);
    }
  }
  if (!command.svg.empty()) {
    if (runs.size() > 1) {
      throw UsageError("--svg draws one run: give one --n, --b, --M and --variant");
    }
    write_file(command.svg, step_svg(runs[0], recorded_step(runs[0], command.at.value_or(0))));
    message(fmt::format("picture: {}", command.svg));
  }
  if (command.json || command.csv) {
    const report::Report report = step_report(runs);
    print(command.json ? report::to_json(report) : report::to_csv(report));
  } else if (command.html.empty() && command.svg.empty()) {
    std::string text;
    for (const SteppedRun& run : runs) text += step_text(run, command.at);
    const bool whole = std::all_of(runs.begin(), runs.end(),
                                   [](const SteppedRun& run) { return run.violation.empty(); });
    const auto lines = std::count(text.begin(), text.end(), '\n');
    if (lines > most_lines && whole && !command.limited) {
      throw UsageError(
          fmt::format("these steps are {} lines: --limit 50 prints the first ones, --phase, --task "
                      "and --at STEP others, --html FILE makes a page of all",
                      lines));
    }
    print(text);
  }
  for (const SteppedRun& run : runs) {
    if (!run.violation.empty()) throw RuleViolation(run.violation);
  }
}

}  // namespace

void setup_step(CLI::App& app) {
  const auto command = std::make_shared<StepCommand>();
  CLI::App* const step =
      add_command(app, "step", "Show every instruction of a small run: lanes, memory, cost");
  add_config_options(*step, command->run, {"n", "b", "M"});
  step->add_flag("--pram", command->pram, "the row on a PRAM, where it is on both machines");
  add_model(*step, command->access,
            "the PRAM, also one whose rules it breaks (default: the variant's own)");
  TraceLimits& limits = command->limits;
  const SizeRange from_zero{.min = 0, .example = "3"};
  CLI::Option* const limit =
      add_size(*step, "--limit", limits.instructions, "instructions, or PRAM operations, to record",
               {.example = "100000"});
  add_size(*step, "--phase", limits.phase, "record this phase only", from_zero)
      ->type_name("NUMBER");
  add_size(*step, "--task", limits.task, "record this task only", from_zero)->type_name("NUMBER");
  step->add_flag("--accesses", limits.accesses_only, "record accesses to memory only");
  add_size(*step, "--at", command->at,
           "print the steps around this one (of a PRAM from 1), and the memory after it", from_zero)
      ->type_name("STEP");
  CLI::Option* const json = step->add_flag("--json", command->json, "print JSON");
  step->add_flag("--csv", command->csv, "print CSV")->excludes(json);
  step->add_option("--html", command->html, "write a page instead, to step through")
      ->type_name("FILE");
  step->add_option("--svg", command->svg,
                   "draw what the step --at accesses, as an image for a text or a slide")
      ->type_name("FILE");
  step->footer(
      "--n, --b, --M and --variant take lists, between which the page chooses.\n"
      "Examples:\n"
      "  agpusim step bitonic_sort --n 16 --b 4 --M 64\n"
      "  agpusim step transpose --n 64 --b 4,8 --variant naive,tiled,padded --html transpose.html\n"
      "  agpusim step maximum --n 4 --html maximum.html");
  step->callback([command, limit] {
    command->limited = limit->count() > 0;
    run_step(*command);
  });
}

}  // namespace agpusim
