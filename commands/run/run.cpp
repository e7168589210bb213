#include <memory>
#include <optional>

#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/host_memory.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/run_time.hpp"
#include "agpusim/cli/selection_options.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/counts/compare_reports.hpp"
#include "agpusim/validation/report/run_report.hpp"
#include "agpusim/validation/rows/evaluate.hpp"
#include "agpusim/validation/rows/faults.hpp"

namespace agpusim {
namespace {

RunResult simulate(const Algorithm& algorithm, const RunConfig& config, const RunOptions& options) {
  Progress progress;
  progress.show(fmt::format("simulating {} on {}", config.algorithm, config.spec.to_string()));
  SimulationOptions simulation;
  simulation.threads = options.threads;
  simulation.checks = !options.no_checks;
  simulation.by_line = options.by_line || !options.output.html.empty();
  simulation.execution = true;
  simulation.progress = [&](const SimulationProgress& done) {
    progress.show(fmt::format("simulating {}: phase {}, {} % of its tasks", config.algorithm,
                              done.phases + 1, 100 * done.tasks_done / done.tasks));
  };
  return algorithm.simulate(config, simulation);
}

/// The row of a run with derived counts or those of a small simulation that counts what a
/// prediction needs; and why its time is not predicted, where it is not.
Row evaluated(const Run& run, const contest::ComparedMachine& machine, bool correct) {
  Sources sources = known_only();
  sources.counting.stored = nullptr;
  if (correct) sources.counting.simulate_limit = 1 << 28;
  Row row = evaluate(run, sources);
  if (run.device == nullptr) {
    row.why_not_predicted = machine.why_not_predicted;
  } else if (!row.counted) {
    row.why_not_predicted = fmt::format(
        "its cost depends on data: `agpusim why {}` with these options counts what a prediction "
        "needs",
        run.program);
  }
  return row;
}

/// Simulates, prints the cost sheet, then throws Mismatch when the result differs from the
/// reference, or the counts from the derived ones or from what the row states of them.
void run_run(const RunOptions& options) {
  const Selection selection = selection_of(options);
  const Run run = run_of(catalog(), selection);
  const RunConfig& config = run.config;
  require_output(options.output);
  require_host_memory(config);
  const Algorithm& algorithm = *run.algorithm;
  exit_on_interrupt();
  announce_if_long(algorithm, config, options.threads);
  RunResult result = simulate(algorithm, config, options);
  Row row = evaluated(run, selection.machines.front(), result.correct);
  std::optional<CountDifferences> differences;
  if (row.counted && row.counted->source == CountSource::derived) {
    differences = compare_reports(result.report, row.counted->report, "derived");
  }
  row.lower = algorithm.lower_bound(config);
  const auto report = [&] {
    return to_report(algorithm, config, result, differences, row.lower,
                     {row.predicted, row.why_not_predicted, row.device, !row.compiled.empty(),
                      run.device == nullptr ? "" : why_uncertain(*run.device)});
  };
  const std::string page = options.output.html.empty() ? "" : to_html(report());
  if (!options.by_line) result.report.lines.clear();  // only the page has them
  put_report(report(), options.output, [&] { return page; });
  if (!result.correct) {
    throw Mismatch(fmt::format("{}: {}", config.algorithm, wrong_result(result.differences)));
  }
  row.from_n = 0;
  row.quantities = quantities_of(algorithm, config, result.report, row.lower);
  if (row.counted) row.counted->differences = differences.value_or(CountDifferences{});
  Faults faults;
  faults.add(row);
  faults.require_none();
}

}  // namespace

void setup_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* const command =
      add_command(app, "run", "Run an algorithm on an abstract machine and print its cost");
  add_config_options(*command, *options);
  add_threads(*command, options->threads);
  command->add_flag("--by-line", options->by_line,
                    "add what each source line of the kernels costs");
  add_report_options(*command, options->output);
  command->footer(
      "Examples:\n"
      "  agpusim run bitonic_sort --n 2^20 --p 16896 --b 32 --M 14528\n"
      "  agpusim run bitonic_sort --n 2^16 --by-line\n"
      "  agpusim run transpose --n 2^16 --machine textbook --bank-mode strict");
  command->callback([options] { run_run(*options); });
}

}  // namespace agpusim
