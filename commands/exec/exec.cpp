#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/machines.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/output_file.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/exec/exec_program.hpp"
#include "agpusim/commands/exec/program_file.hpp"
#include "agpusim/commands/exec/pull_request.hpp"
#include "agpusim/commands/exec/sheet.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/exec/findings.hpp"
#include "agpusim/validation/exec/why.hpp"
#include "agpusim/validation/io/atomic_file.hpp"
#include "agpusim/validation/steps/report.hpp"

namespace agpusim {
namespace {

struct ExecOptions {
  exec::Settings settings;
  std::vector<std::string> conditions;
  std::string condition_file;
  std::string against;
  exec::Dearness dearness;
  bool strict = false;
  bool by_line = false;
  bool quiet_program = false;
  bool functions = false;
  std::optional<std::string> why;  ///< the kernel; empty: the one with most time
  std::optional<std::int64_t> at;  ///< the step whose memory is printed
  std::string json;                ///< "-": standard output, in place of the sheet
  std::string html;
  std::string markdown;
  std::string sarif;
  std::vector<std::string> command;
};

/// Sets the device file of the machine; returns the device's name and the machine.
std::pair<std::string, AgpuSpec> device_of(exec::Settings& settings) {
  const Machine machine = find_machine(settings.machine);
  for (const DeviceFile& device : read_devices("").files) {
    const auto is_it = [&](const Machine& one) { return one.name == machine.name; };
    if (std::none_of(device.machines.begin(), device.machines.end(), is_it)) continue;
    settings.device_file = std::filesystem::absolute(device.path).string();
    return {device.name, machine.spec};
  }
  throw UsageError(
      fmt::format("machine {} is no GPU that a program could ask for: choose one of {}",
                  machine.name, predicted_machines()));
}

/// "kernel" or "kernel:3"
std::pair<std::string, std::int64_t> launch_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::string number = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) {
    return {text, 1};
  }
  return {text.substr(0, colon), std::stoll(number)};
}

void require_known(const char* what, const std::vector<std::string>& names,
                   const std::vector<std::string>& known) {
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw unknown_name(what, name, known);
    }
  }
}

/// The program's file, after all that can be said against it has been.
std::filesystem::path checked_program(const std::vector<std::string>& command) {
  if (command.empty()) {
    throw UsageError("no program is named, for example: agpusim exec ./prog");
  }
  std::filesystem::path program = find_program(command.front());
  exec::require_runtime(exec::read_program(program), command.front());
  return program;
}

/// The functions of the CUDA runtime, by name, and what each does.
std::string function_table() {
  std::string text;
  for (const auto& [name, section] : exec::functions_of(runtime_library())) {
    if (!name.starts_with("cu") && !name.starts_with("__cu")) continue;  // for our own libraries
    text += fmt::format("{:<50} {}\n", name,
                        section == "not_supported"    ? "not supported"
                        : section == "without_effect" ? "has no effect"
                                                      : "works");
  }
  return text;
}

/// Prints the sheet, then writes it to files: each, whatever happens to the others.
void put_sheet(const exec::Sheet& sheet, const ExecOptions& options) {
  const report::Report report = to_report(sheet);
  const bool prints_json = options.json == "-";
  std::exception_ptr failure;
  const auto put = [&](bool wanted, const auto& write) {
    try {
      if (wanted) write();
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  };
  put(true, [&] {
    print(prints_json ? report::to_json(report)
                      : (options.quiet_program ? "" : "\n") +
                            report::to_text(report, output_page(report.width)));
  });
  put(!prints_json && !options.json.empty(),
      [&] { write_file(options.json, report::to_json(report)); });
  put(!options.html.empty(), [&] { write_file(options.html, report::to_html(report)); });
  put(!options.markdown.empty(), [&] { write_file(options.markdown, exec::to_markdown(sheet)); });
  put(!options.sarif.empty(), [&] {
    write_file(options.sarif, exec::to_sarif(sheet, std::filesystem::current_path().string()));
  });
  if (failure) std::rethrow_exception(failure);
}

/// Throws UsageError where --only names no kernel that the program launches.
void require_launched(const std::string& only, const exec::ProgramReport& program) {
  std::vector<std::string> known;
  for (const exec::LaunchRecord& launch : program.launches) {
    if (!launch.skipped) return;
    const std::string& name = launch.phase.kernel;
    if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  }
  if (!only.empty() && !known.empty()) throw unknown_name("kernel", only, known);
}

/// Prints what the CTA did that --step and --cta name, in place of the sheet, or makes a page of
/// it.
void put_steps(const exec::Sheet& sheet, const ExecOptions& options) {
  const exec::Settings& settings = options.settings;
  std::vector<SteppedRun> runs;
  for (const exec::SteppedCta& stepped : sheet.program.steps) {
    const TracedPhase& phase = stepped.trace.phases.front();
    if (settings.step_cta >= phase.tasks) {
      throw UsageError(
          fmt::format("--cta {}: {} has {} CTAs", settings.step_cta, phase.kernel, phase.tasks));
    }
    SteppedRun& run = runs.emplace_back();
    run.title = fmt::format("{}, launch {} of {}", phase.kernel, settings.step_launch,
                            sheet.command.front());
    run.agpu = stepped.trace;
    run.agpu->spec = sheet.spec;
    if (!stepped.trace.instructions.empty()) {
      run.agpu->spec.width = static_cast<std::int32_t>(stepped.trace.instructions[0].mask.size());
    }
    run.machine = run.agpu->spec.to_string();
    run.n = phase.tasks * run.agpu->spec.width;
    run.limits = "the first ones";
  }
  if (runs.empty()) {
    require_launched(settings.step, sheet.program);
    throw UsageError(
        fmt::format("--step: {} has no launch {}", settings.step, settings.step_launch));
  }
  const auto report = [&] { return report::to_json(step_report(runs)); };
  if (!options.html.empty()) {
    write_file(options.html, step_page(runs));
    message(fmt::format("page: {}", options.html));
  }
  if (!options.json.empty() && options.json != "-") write_file(options.json, report());
  if (options.json == "-") return print(report());
  if (!options.html.empty()) return;
  for (const SteppedRun& run : runs) print(step_text(run, options.at));
}

/// Throws what the exit code of `agpusim exec` says; the first that holds.
void judge(const exec::Sheet& sheet) {
  const exec::ProgramReport& program = sheet.program;
  if (program.is_cut) {
    throw Unavailable(
        "lines of the program's report could not be written: choose a folder that has room with "
        "TMPDIR");
  }
  if (sheet.exit_code == 0 && program.processes.empty()) {
    throw Unavailable(fmt::format(
        "{} has called no function of a shared CUDA runtime: if it should have, build it again as "
        "`agpusim help exec` says",
        sheet.command.front()));
  }
  if (!program.refused.empty()) {
    const auto& [kernel, why] = *program.refused.begin();
    throw Unavailable(fmt::format("kernel {} was not run: {}", kernel, why));
  }
  if (!program.unsupported.empty()) {
    throw Unavailable(fmt::format("the program called {}, which is not supported",
                                  program.unsupported.begin()->first));
  }
  for (const exec::FailedCall& call : program.failed) {
    if (call.is_known()) continue;
    throw Unavailable(fmt::format(
        "{}{} failed{}: {} ({})", call.function,
        call.kernel.empty() ? "" : fmt::format(" of kernel {}", call.kernel),
        call.of_simulator ? "" : ", and the program did not look", call.error, call.reason));
  }
  SourceText sources;
  const bool are_counted =
      std::any_of(sheet.conditions.begin(), sheet.conditions.end(), [](const exec::Checked& one) {
        return one.condition.formula.find("findings") != std::string::npos;
      });
  for (const exec::FindingRow& row : exec::finding_rows(program)) {
    if (are_counted || !exec::is_defect(row.finding, sources, sheet.strict)) continue;
    throw RuleViolation(row.name.empty()
                            ? row.finding.message()
                            : fmt::format("kernel {}: {}", row.name, row.finding.message()));
  }
  for (const exec::Checked& one : sheet.conditions) {
    if (one.failure) throw Mismatch(fmt::format("--require fails: {}", one.condition.text));
  }
  if (sheet.against && sheet.against->is_dearer()) {
    throw Mismatch("--against fails: the program has become dearer");
  }
}

void run_exec(ExecOptions options) {
  if (options.functions) return print(function_table());
  std::vector<exec::Condition> conditions;
  if (!options.condition_file.empty()) {
    conditions = exec::conditions_in(read_file(options.condition_file), options.condition_file);
  }
  for (const std::string& text : options.conditions) {
    try {
      conditions.push_back(exec::condition_of(text));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("--require {}", error.what()));
    }
  }
  if (options.settings.step.empty() && (options.settings.step_cta > 0 || options.at)) {
    throw UsageError("--cta and --at belong to --step KERNEL");
  }
  const bool judges = options.why || !options.against.empty() || !options.markdown.empty() ||
                      !options.sarif.empty();
  if (!options.settings.step.empty() && judges) {
    throw UsageError("--step prints no sheet: leave out --why, --against, --markdown and --sarif");
  }
  require_known("check", options.settings.checks, exec::Settings{}.checks);
  require_known("cost", options.dearness.costs, exec::comparable_costs());
  const std::filesystem::path program = checked_program(options.command);
  exec::Sheet sheet;
  sheet.command = options.command;
  sheet.strict = options.strict;
  sheet.by_line = options.by_line;
  std::tie(sheet.device, sheet.spec) = device_of(options.settings);
  std::vector<std::string> inputs = {program.string()};
  std::string base;
  if (!options.against.empty()) {
    inputs.push_back(options.against);
    base = read_file(options.against);
    // What cannot be compared with is refused before the program runs.
    static_cast<void>(
        exec::compare_sheets(base, report::to_json(to_report(sheet)), options.against));
  }
  require_outputs({{"--json", options.json == "-" ? "" : options.json},
                   {"--html", options.html},
                   {"--markdown", options.markdown},
                   {"--sarif", options.sarif}},
                  inputs);
  {
    const ReportFile file;
    sheet.exit_code =
        run_program(program, options.command, options.settings, file, options.quiet_program);
    sheet.program = exec::read_report(file.path());
  }
  for (exec::Condition& condition : conditions) {
    auto failure = failure_of(condition, sheet.program, sheet.spec, base);
    sheet.conditions.push_back({std::move(condition), std::move(failure)});
  }
  if (!options.against.empty()) {
    sheet.against = exec::compare_sheets(base, report::to_json(to_report(sheet)), options.against,
                                         options.dearness);
  }
  if (options.why) {
    sheet.why = exec::why_section(sheet.program, *options.why, sheet.spec,
                                  load_device(options.settings.device_file));
  }
  if (options.settings.step.empty()) {
    put_sheet(sheet, options);
  } else {
    put_steps(sheet, options);
  }
  exit_if_interrupted();
  if (options.why && !sheet.why) {
    throw UsageError(fmt::format("--why: no launch of '{}' has a predicted time", *options.why));
  }
  require_launched(options.settings.only, sheet.program);
  judge(sheet);
  if (sheet.exit_code != 0) std::exit(sheet.exit_code);
}

}  // namespace

void setup_exec(CLI::App& app) {
  const auto options = std::make_shared<ExecOptions>();
  CLI::App* const command = add_command(
      app, "exec", "Run a CUDA program without a GPU, print what its kernels cost and do wrong");
  exec::Settings& settings = options->settings;
  command->add_option("--machine", settings.machine, "the GPU that the program finds")
      ->type_name("NAME")
      ->capture_default_str();
  command
      ->add_option("--only", settings.only,
                   "run this kernel only, mangled or as in the source; the others are skipped")
      ->type_name("KERNEL");
  add_size(*command, "--first", settings.first,
           "launches of each kernel that are run, the others are skipped (0: run all)",
           {.min = 0, .example = "10"});
  add_size(
      *command, "--loop-seconds", settings.loop_seconds,
      "a CTA may compute while its warps only turn in their loops, before it is a deadlock (0: "
      "no limit)",
      {.min = 0, .example = "600"});
  add_text(*command, "--check", "races, init, bounds and sync with commas between them, or none",
           [&settings](const std::string& /*name*/, const std::string& text) {
             settings.checks = text == "none" ? std::vector<std::string>{} : list_items(text);
           })
      ->type_name("LIST")
      ->default_str("races,init,bounds,sync");
  add_texts(*command, "--require",
            "'[kernel NAME[, launch K]:] cost op expression', such as 'kernel reduce: conflicts == "
            "0'; exit code 7 where it does not hold",
            [options](const std::string& /*name*/, const std::vector<std::string>& texts) {
              options->conditions = texts;
            })
      ->type_name("CONDITION")
      ->allow_extra_args(false);  // a program may follow
  command
      ->add_option("--require-file", options->condition_file,
                   "a file of such conditions, one a line; # begins a comment")
      ->type_name("FILE");
  command
      ->add_option(
          "--against", options->against,
          "what --json wrote before: which kernels and lines got dearer, exit code 7 where "
          "one did")
      ->type_name("FILE");
  add_text(*command, "--costs",
           fmt::format("those that make a kernel dearer, with commas between them: {}",
                       fmt::join(exec::comparable_costs(), ", ")),
           [options](const std::string& /*name*/, const std::string& text) {
             options->dearness.costs = list_items(text);
           })
      ->type_name("LIST")
      ->default_str(fmt::format("{}", fmt::join(exec::default_costs(), ",")));
  add_number(*command, "--tolerance", options->dearness.tolerance, 0,
             "by which they may grow (default: 10 for T, registers and ms, 0 for others)")
      ->type_name("PERCENT");
  command
      ->add_option_function<std::string>(
          "--why", [options](const std::string& kernel) { options->why = kernel; },
          "explain the predicted time of this kernel (none named: the one with most time), and "
          "what "
          "to change")
      ->type_name("KERNEL")
      ->expected(0, 1);
  add_text(*command, "--step",
           "print what a CTA of this kernel did, access by access, in place of the sheet (launch "
           "1 where none is named)",
           [&settings](const std::string& /*name*/, const std::string& text) {
             std::tie(settings.step, settings.step_launch) = launch_of(text);
           })
      ->type_name("KERNEL[:LAUNCH]");
  add_size(*command, "--cta", settings.step_cta, "the CTA of --step", {.min = 0, .example = "3"});
  add_size(*command, "--at", options->at,
           "print the steps of --step around this one, and the memory after it",
           {.min = 0, .example = "3"});
  command->add_flag("--strict", options->strict,
                    "notes, of what is legal and probably not meant, are findings");
  command->add_flag("--by-line", options->by_line, "print all lines, launches and findings");
  command->add_flag("--host-time", settings.host_time,
                    "events of the program measure the wall clock, not the predicted time");
  command->add_flag("--quiet-program", options->quiet_program,
                    "drop what the program prints on standard output");
  command->add_flag("--functions", options->functions,
                    "print the functions of the CUDA runtime, and which are supported");
  command->add_option("--json", options->json, "write JSON too (-: print it, and not the sheet)")
      ->type_name("FILE");
  command->add_option("--html", options->html, "also write a page")->type_name("FILE");
  command
      ->add_option("--markdown", options->markdown,
                   "also write what changed, findings and conditions as a comment")
      ->type_name("FILE");
  command
      ->add_option("--sarif", options->sarif,
                   "also write findings, broken conditions and costs that rose, at their lines")
      ->type_name("FILE");
  command->add_option("command", options->command, "the program and its arguments, behind --")
      ->type_name("PROGRAM");
  command->footer(
      "Build the program for this first (see `agpusim help build`):\n"
      "  agpusim build -- make -B\n"
      "The exit code is 4 after a finding, 7 where --require or --against does not hold, 6 for "
      "what "
      "is\nnot supported, else the program's.\n"
      "Example:\n  agpusim exec --require 'kernel reduce: conflicts == 0' -- ./test");
  command->callback([options] { run_exec(*options); });
}

}  // namespace agpusim
