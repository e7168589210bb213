#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/pram_topics.hpp"
#include "agpusim/cli/run_time.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/pram/pram_speed_up.hpp"
#include "agpusim/commands/pram/pram_variants.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/pram/brent.hpp"
#include "agpusim/model/pram/on_agpu.hpp"
#include "agpusim/model/pram/work_span.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/report/pram_report.hpp"

namespace agpusim {
namespace {

/// What cannot be combined with the table of all variants, which runs each on its own machine.
constexpr const char* of_one_run[] = {"--variant",    "--model",     "--processors",
                                      "--efficiency", "--work-span", "--dot"};

constexpr const char* agpu_group = "Machine of --on-agpu";

void add_run_options(CLI::App& command, PramCommand& options) {
  command.add_option("algorithm", options.algorithm, "see `agpusim pram`; without: list them");
  add_size(command, "-n,--n", options.n, "size of the input (see `agpusim help sizes`)",
           {.min = 0});
  command.add_option("--variant", options.variant, "form of the algorithm")->type_name("NAME");
  command.add_option("--input", options.input, "kind of input; also values:3,3,1,7 or file:NAME")
      ->type_name("NAME");
  add_seed(command, options.seed, "seed of the input");
  add_set(command, options.set, "parameter of the algorithm; may be repeated");
  add_threads(command, options.threads);
  add_report_options(command, options.output, true);
  command.add_flag("--all-variants", options.all_variants,
                   "one table: every variant on its own machine");
}

void add_pram_options(CLI::App& command, PramCommand& options) {
  const std::string group = "PRAM";
  add_model(command, options.access,
            "erew, crew, common, arbitrary, priority, sum, max, min, or, xor (default: the "
            "variant's own; see `agpusim help pram-machines`)")
      ->group(group);
  add_choice(command, "--sum", options.pram->sum, "reading of Sum",
             {SumReading::values, SumReading::count},
             "what a cell of a Sum-CRCW PRAM receives: the sum of the values, or the count of the "
             "writers")
      ->type_name("values|count")
      ->group(group);
  add_size(command, "--reads-per-step", options.pram->reads_per_step,
           "cells that a processor may read in one step, 1 to 16", {.example = "1"})
      ->type_name("NUMBER")
      ->group(group);
  add_size(command, "--max-processors", options.pram->max_processors,
           "refuse a step with more processors (0: any)", {.min = 0, .example = "1000"})
      ->group(group);
}

/// The options of the machine that --on-agpu prices on. Its word size is --agpu-w: --w is the
/// PRAM's.
void add_agpu_options(CLI::App& command, PramCommand& options) {
  const std::vector<CLI::Option*> before = command.get_options();
  add_machine_options(command, options.machine);
  command.remove_option(command.get_option("--w"));
  add_size(command, "--agpu-w", options.machine.word_bits, "bits of a word of the AGPU",
           {.max = std::numeric_limits<std::int32_t>::max(), .example = "32"});
  for (CLI::Option* option : command.get_options()) {
    if (std::find(before.begin(), before.end(), option) == before.end()) option->group(agpu_group);
  }
}

void add_analysis_options(CLI::App& command, PramCommand& options) {
  const std::string group = "Analysis of the recorded run";
  add_sizes(
      command, "--processors", options.processors,
      "schedule the run on P processors (Brent), correctly under Sum; of a list: speed-up and "
      "efficiency on each",
      {.example = "64"})
      ->type_name("P")
      ->group(group);
  add_number(command, "--efficiency", options.efficiency, 1,
             "look for the largest P with this efficiency")
      ->type_name("PERCENT")
      ->group(group);
  command.add_flag("--work-span", options.work_span, "work, span, parallelism and a critical path")
      ->group(group);
  command.add_option("--dot", options.dot, "write the graph of the computation for Graphviz")
      ->type_name("FILE")
      ->group(group);
  command.add_flag("--on-agpu", options.on_agpu, "price every step as a phase of an AGPU")
      ->group(group);
  add_agpu_options(command, options);
}

/// The word of the PRAM; after add_agpu_options, which takes the same name away from the AGPU.
void add_word_option(CLI::App& command, PramCommand& options) {
  add_size(command, "--w", options.pram->word_bits, "bits of a signed word, 2 to 64",
           {.example = "32"})
      ->type_name("BITS")
      ->group("PRAM");
}

/// Throws UsageError for options that need another one.
void check_combination(const CLI::App& command, const PramCommand& options) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    const std::string name = option->get_name();
    const bool of_output =
        name == "--json" || name == "--csv" || name == "--tex" || name == "--html";
    if (options.algorithm.empty() && !of_output) {
      throw UsageError(
          fmt::format("{} needs the name of an algorithm, for example `agpusim pram {} --n 2^10`",
                      name, pram_algorithm_names().front()));
    }
    if (option->get_group() == agpu_group && !options.on_agpu) {
      throw UsageError(
          fmt::format("{} needs --on-agpu, which prices the run on that machine", name));
    }
    const bool one_run =
        std::find(std::begin(of_one_run), std::end(of_one_run), name) != std::end(of_one_run);
    if (options.all_variants && one_run) {
      throw UsageError(
          fmt::format("--all-variants runs each variant on its own machine and takes no {}", name));
    }
  }
}

/// Throws UsageError, before anything runs, when the run or its record would be too large, and
/// IoError when the graph cannot be written.
void check_size(const PramSheet& sheet, const PramCommand& command) {
  if (sheet.form.processors > std::numeric_limits<std::int32_t>::max()) {
    throw UsageError(fmt::format(
        "{} ({}) needs {} processors in one step, and at most 2^31 - 1 are simulated: choose a "
        "smaller --n (or range), or a variant with fewer processors",
        sheet.config.algorithm, sheet.config.variant, size_text(sheet.form.processors)));
  }
  if (command.efficiency.value_or(1) > 100) {
    throw UsageError("--efficiency is a percentage, 1 to 100: T_1 / (P T_P)");
  }
  if (command.needs_trace()) {
    if (const std::string why = trace_refusal(sheet.config, sheet.form.work); !why.empty()) {
      throw UsageError(why);
    }
  }
  if (command.dot.empty()) return;
  if (sheet.form.work > graphviz_limit) {
    throw UsageError(
        fmt::format("--dot: n = {} makes {} operations, and a graph shows {}: choose a smaller --n",
                    size_text(sheet.config.n), size_text(sheet.form.work), graphviz_limit));
  }
  require_outputs({{"--dot", command.dot, "choose another place with --dot FILE"}});
}

PramSheet make_sheet(const Algorithm& algorithm, const PramCommand& command) {
  PramSheet sheet;
  sheet.config = make_pram_config(command);
  sheet.variant = pram_variant_of(algorithm, sheet.config);
  sheet.summary = algorithm.pram->summary;
  const AgpuSpec agpu = make_spec(command.machine);
  // One run counts and records, unless its size must be known before.
  const bool known = algorithm.pram->closed_form || command.needs_trace();
  sheet.form = known ? pram_form(algorithm, sheet.config) : PramForm{0, 0, 0, false};
  check_size(sheet, command);

  const PramOptions run_options{.threads = command.threads, .record_trace = command.needs_trace()};
  announce_if_long(algorithm, sheet.config, run_options);
  Progress progress;
  progress.show(
      fmt::format("running {} on a {}{}", algorithm.name, sheet.config.pram->to_string(),
                  known ? fmt::format(": {} operations", size_text(sheet.form.work)) : ""));
  sheet.result = algorithm.pram->run(sheet.config, run_options);
  const PramTrace& trace = sheet.result.trace;
  if (command.processors.size() == 1) {
    const std::int64_t processors = command.processors.front();
    progress.show(fmt::format("scheduling {} on {} processors", algorithm.name, processors));
    sheet.schedule = schedule_on(trace, processors);
    if (sheet.config.pram->access == PramAccess::sum) {
      sheet.schedule_without_accumulate = schedule_on(trace, processors, SumSplit::replace);
    }
  }
  if (command.work_span) {
    progress.show("looking for the critical path");
    sheet.work_span = analyse_work_span(trace);
  }
  if (command.on_agpu) {
    progress.show(fmt::format("pricing on {}", agpu.to_string()));
    sheet.agpu = price_on_agpu(trace, agpu);
  }
  return sheet;
}

void run_one(const Algorithm& algorithm, const PramCommand& command) {
  const PramSheet sheet = make_sheet(algorithm, command);
  if (!command.dot.empty()) {
    defer_interrupt();
    write_file(command.dot, to_graphviz(sheet.result.trace));
    exit_if_interrupted();
  }
  report::Report report = to_report(sheet);
  if (command.needs_speed_up()) {
    // Plots and CSV are then of P, not of the steps.
    for (report::Section& section : report.body.sections) {
      section.plots.clear();
      for (report::Table& table : section.tables) table.csv = false;
    }
    report.body.sections.push_back(speed_up(sheet.result.trace, sheet.result.report,
                                            command.processors,
                                            command.efficiency.value_or(0) / 100));
  }
  put_report(report, command.output);
  if (!command.dot.empty()) message(fmt::format("graph: {}", command.dot));
  require_equal(fmt::format("{} ({})", algorithm.name, sheet.config.variant), sheet.result.report,
                sheet.result.differences, sheet.form);
}

void run_pram(const CLI::App& app, const PramCommand& command) {
  check_combination(app, command);
  require_output(command.output);
  if (command.algorithm.empty()) {
    put_report(pram_overview(), command.output);
    return;
  }
  const Algorithm& algorithm = find_pram_algorithm(command.algorithm);
  exit_on_interrupt();
  if (command.all_variants) {
    run_all_variants(algorithm, command);
  } else {
    run_one(algorithm, command);
  }
}

}  // namespace

void setup_pram(CLI::App& app) {
  const auto options = std::make_shared<PramCommand>();
  CLI::App* const command =
      add_command(app, "pram", "Run an algorithm on a PRAM and print its cost");
  add_run_options(*command, *options);
  add_pram_options(*command, *options);
  add_analysis_options(*command, *options);
  add_word_option(*command, *options);
  command->footer(
      "Examples:\n"
      "  agpusim pram\n"
      "  agpusim pram scan --n 2^10 --processors 64 --work-span\n"
      "  agpusim pram scan --n 2^10 --all-variants --on-agpu --machine textbook");
  command->callback([options, command] { run_pram(*command, *options); });
}

}  // namespace agpusim
