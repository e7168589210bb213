#include <algorithm>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/compare_machines.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/machines.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/ptx/ptx_kernel.hpp"
#include "agpusim/commands/ptx/ptx_report.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/ptx/lower/opcodes.hpp"
#include "agpusim/ptx/run/arguments.hpp"
#include "agpusim/ptx/run/device.hpp"
#include "agpusim/ptx/text/kernel_name.hpp"
#include "agpusim/validation/exec/findings.hpp"
#include "agpusim/validation/exec/why.hpp"

namespace agpusim {
namespace {

struct PtxOptions {
  std::vector<std::string> files;
  bool opcodes = false;
  std::string kernel;
  std::optional<ptx::Dim3> grid;
  std::optional<ptx::Dim3> block;
  std::uint32_t shared = 0;
  std::vector<std::string> arguments;
  std::uint64_t seed = 1;
  int threads = 0;
  MachineOptions machine;
  bool no_checks = false;
  bool why = false;
  std::optional<std::int64_t> registers;
  ReportOutput output;
};

/// The machine whose tasks have a lane for each thread of the block.
MachineOptions machine_for(MachineOptions machine, const ptx::Dim3& block) {
  const std::int64_t b = machine.block_words.empty()
                             ? find_machine(machine.machines.front()).spec.block_words
                             : machine.block_words.front();
  const auto threads = static_cast<std::int64_t>(
      std::clamp<std::uint64_t>(block.count(), 1, max_width));  // others are refused at the launch
  machine.width = {(threads + b - 1) / b * b};
  return machine;
}

std::shared_ptr<const ptx::Program> compiled(const PtxOptions& options) {
  const auto module = read_modules(options.files);
  const std::string kernel = find_kernel(*module, options.kernel);
  if (!options.grid || !options.block) {
    throw UsageError(fmt::format("{} is missing: how many {}, for example {}",
                                 options.grid ? "--block" : "--grid",
                                 options.grid ? "threads a CTA has" : "CTAs are launched",
                                 options.grid ? "--block 256" : "--grid 2048"));
  }
  try {
    return ptx::Program::compile(module, kernel);
  } catch (const ptx::PtxError& error) {
    throw Error(error.code(), fmt::format("{}: {}", module->name(), error.what()));
  }
}

/// Adds the bill and the predicted time.
void add_costs(PtxRun& run, const ptx::Device& device, const PtxOptions& options,
               const contest::ComparedMachine& machine) {
  run.report = device.report();
  run.launch.numbers = {1};
  exec::ProgramReport program;
  program.launches = {run.launch};
  run.report.lines = exec::cost_of(program, run.report.spec).lines;
  for (PhaseReport& phase : run.report.phases) {
    phase.kernel = run.launch.phase.kernel;
    if (options.registers) phase.registers = *options.registers;
  }
  if (machine.constants) {
    RunConfig config;
    config.spec = run.report.spec;
    run.launch.predicted =
        predict_run(config, run.report.phases, *machine.constants, PredictedFrom::programs);
    program.launches = {run.launch};
    if (options.why) {
      run.why = exec::why_section(program, "", run.report.spec, *machine.constants);
    }
  } else {
    run.launch.predicted.why_not = machine.why_not_predicted;
  }
}

PtxRun launched(const PtxOptions& options) {
  PtxRun run;
  run.files = options.files;
  run.arguments = options.arguments;
  run.program = compiled(options);
  const MachineOptions machine = machine_for(options.machine, *options.block);
  ptx::Options running;
  running.threads = options.threads;
  running.races = running.unwritten = !options.no_checks;
  running.execution = true;
  const contest::ComparedMachine compared = one_machine(machine);
  if (compared.constants) running.caches = caches_of(*compared.constants);
  ptx::Device device(make_spec(machine), running);
  const ptx::Arguments arguments(*run.program, options.arguments, device.memory(), options.seed);
  exit_on_interrupt();
  Progress progress;
  progress.show(fmt::format("running {} on {}", ptx::readable_name(run.program->kernel),
                            device.report().spec.to_string()));
  try {
    static_cast<ptx::LaunchReport&>(run.launch) = device.launch(
        {run.program, *options.grid, *options.block, options.shared, arguments.parameters()});
  } catch (const ptx::PtxError& error) {
    throw Error(error.code(), fmt::format("{}: {}", run.program->module->name(), error.what()));
  }
  run.launch.kernel = run.program->kernel;
  run.launch.dynamic_shared = options.shared;
  exec::name_kernel(run.launch);
  add_costs(run, device, options, compared);
  return run;
}

void run_ptx(const PtxOptions& options) {
  if (options.opcodes) return print(ptx::opcode_table());
  if (options.files.empty()) {
    throw UsageError(
        "no PTX file is named, for example: agpusim ptx kernel.ptx --grid 1 --block 32");
  }
  require_output(options.output, options.files);
  const PtxRun run = launched(options);
  put_report(to_report(run), options.output);
  std::vector<ptx::Finding> findings = run.launch.findings;
  SourceText sources;
  std::erase_if(findings, [&](const ptx::Finding& finding) {
    return !exec::is_defect(finding, sources, false);
  });
  if (findings.empty()) return;
  throw RuleViolation(
      findings.front().message() +
      (findings.size() == 1 ? "" : fmt::format(" (and {} more)", findings.size() - 1)));
}

void add_dim(CLI::App& command, const std::string& name, std::optional<ptx::Dim3>& field,
             const std::string& help) {
  add_text(command, name, help, [&field](const std::string& option, const std::string& text) {
    try {
      field = ptx::dim3_of(text);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", option, error.what()));
    }
  })->type_name("X[xY[xZ]]");
}

}  // namespace

void setup_ptx(CLI::App& app) {
  const auto options = std::make_shared<PtxOptions>();
  CLI::App* const command =
      add_command(app, "ptx", "Run a kernel of a PTX file, print its cost and what it does wrong");
  command->add_option("files", options->files, "PTX files; several are linked")->type_name("FILE");
  command
      ->add_option("--kernel", options->kernel,
                   "mangled or as in the source (default: the only one)")
      ->type_name("NAME");
  add_dim(*command, "--grid", options->grid, "CTAs of the launch");
  add_dim(*command, "--block", options->block, "threads of a CTA");
  add_size(*command, "--shared", options->shared, "dynamic shared memory of a CTA",
           {.min = 0, .example = "1024"})
      ->type_name("BYTES");
  add_texts(
      *command, "--arg",
      "of the kernel, in order: a number, or a buffer NAME:TYPE:COUNT[:CONTENT] whose content "
      "is iota (default), zeros, random or unwritten",
      [options](const std::string& /*name*/, const std::vector<std::string>& texts) {
        options->arguments = texts;
      })
      ->type_name("ARGUMENT");
  add_seed(*command, options->seed, "seed of random contents");
  add_threads(*command, options->threads);
  command->add_flag("--no-checks", options->no_checks,
                    "do not look for races and unwritten memory");
  add_size(*command, "--registers", options->registers,
           "of a lane, as ptxas gives it, for the predicted time", {.max = 255, .example = "32"})
      ->type_name("NUMBER");
  command->add_flag("--why", options->why, "explain the predicted time, and what to change");
  command->add_flag("--opcodes", options->opcodes, "print the instructions that are supported");
  add_machine_options(*command, options->machine);
  command->remove_option(command->get_option("--V"));  // V follows from the block
  add_report_options(*command, options->output);
  command->footer(
      "Example:\n"
      "  nvcc -ptx -lineinfo kernel.cu\n"
      "  agpusim ptx kernel.ptx --grid 2048 --block 256 --arg in:u32:2^20 --arg "
      "out:u32:2048:zeros \\\n"
      "    --arg 1048576");
  command->callback([options] { run_ptx(*options); });
}

}  // namespace agpusim
