#include "agpusim/commands/compare/compare.hpp"

#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/cli/catalog.hpp"
#include "agpusim/cli/commands.hpp"
#include "agpusim/cli/host_memory.hpp"
#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/options.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/commands/compare/to_report.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/records/data_folder.hpp"
#include "agpusim/validation/rows/faults.hpp"

namespace agpusim {
namespace {

using contest::Comparison;

/// The timing records of files and folders, or those of these algorithms that agpusim carries.
std::vector<TimingRecord> read_timings(const std::vector<std::string>& records,
                                       const std::vector<std::string>& algorithms) {
  std::vector<TimingRecord> all = records_of({records.begin(), records.end()}, algorithms).timings;
  if (all.empty() && !records.empty()) {
    throw UsageError(
        fmt::format("--records: there are no times in {}: name files (.jsonl) that `agpusim "
                    "measure` wrote, or folders of them",
                    fmt::join(records, ", ")));
  }
  return all;
}

/// The algorithms and programs of contestants.
std::vector<std::string> names_of(const std::vector<std::string>& contestants) {
  std::vector<std::string> names;
  for (const std::string& text : spelled_out(contestants)) {
    names.push_back(text.substr(0, text.find_first_of(":,")));
  }
  return names;
}

Comparison compare_with_progress(contest::Options options) {
  Progress progress;
  options.progress = [&](std::string_view label, double fraction) {
    progress.show(fmt::format("{:3.0f} % {}", 100 * fraction, label));
  };
  return contest::compare(catalog(), options);
}

contest::Options comparison_options(const CompareOptions& options) {
  contest::Options wanted;
  Selection& selection = wanted;
  wanted.records = read_timings(options.device.records, names_of(options.programs));
  try {
    selection = selection_of(options, wanted.records);
  } catch (const UsageError&) {
    if (!options.device.records.empty()) throw;
    wanted.records = read_all_records(record_folders()).timings;  // a refusal names them all
    selection = selection_of(options, wanted.records);
  }
  wanted.simulate = options.simulate;
  wanted.threads = options.threads;
  wanted.require_memory = require_host_memory;
  return wanted;
}

/// Empty, or which machine is like the GPU where one of its own programs is a contestant.
std::string machine_hint(const std::vector<contest::Contestant>& contestants,
                         const MachineOptions& options) {
  const bool all_rows = std::all_of(contestants.begin(), contestants.end(), [&](const auto& one) {
    return catalog().find_or_null(one.algorithm) != nullptr;
  });
  if (all_rows || options.machines != MachineOptions{}.machines || !options.width.empty())
    return "";
  return "Tasks have one warp here; --machine h200-block has 256 threads, as libraries' programs";
}

}  // namespace

void setup_compare(CLI::App& app) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* const command =
      add_command(app, "compare",
                  "Algorithms side by side: counts, predicted and measured times, who wins where");
  command
      ->add_option("contestants", options->programs,
                   "two or more: NAME[:VARIANT][,PARAMETER=VALUE...], an algorithm of `agpusim "
                   "list` or a program that was only measured, such as cub_scan")
      ->required()
      ->type_name("ALG");
  add_sizes(*command, "-n,--n", options->n,
            "elements of the input: a list of sizes and ranges (see `agpusim help sizes`)",
            {.example = "2^10..2^20"});
  add_machine_options(*command, options->machine, all_of_machine);
  command->add_option("--type", options->type, "element type (default: one that all have)")
      ->type_name("NAME");
  command->add_option("--input", options->input, "kind of input (default: one that all have)")
      ->type_name("NAME");
  add_seed(*command, options->seed, "seed of the input");
  add_set(*command, options->set, "parameter of every contestant that has it; may be repeated");
  command->add_flag(
      "--simulate", options->simulate,
      "simulate every affordable run and compare it with its reference and known counts");
  add_threads(*command, options->threads);
  command
      ->add_option("--records", options->device.records,
                   "files or folders of times (default: the measurements that agpusim carries)")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  command
      ->add_option("--device", options->device.device,
                   "whose constants and times (default: the machine's own, or the records')")
      ->type_name("NAME");
  command->add_option("--devices", options->device.devices, "folder of device files")
      ->type_name("DIR");
  add_report_options(*command, options->output, true);
  command->footer(
      "--machine, --p, --b, --M, --w and --V may be lists (16,32 or 2^10..2^14) and be repeated:\n"
      "every combination is compared.\n\nExamples:\n"
      "  agpusim compare scan:sum scan:blelloch cub_scan --n 100,1e3,1e4,1e5,1e6,2^22,2^24 "
      "--machine h200-block --html scan.html\n"
      "  agpusim compare transpose:padded transpose:naive --n 2^10..2^24\n"
      "  agpusim compare bitonic_sort bitonic_sort,tile=1024 --n 2^10..2^20 --M 2^12,2^14 "
      "--b 16,32");
  command->callback([options] { run_compare(*options); });
}

void run_compare(const CompareOptions& options) {
  const contest::Options wanted = comparison_options(options);
  require_output(options.output, options.device.records);
  exit_on_interrupt();
  Comparison comparison = compare_with_progress(wanted);
  if (const std::string hint = machine_hint(wanted.contestants, options.machine); !hint.empty()) {
    comparison.remarks.push_back(hint);
  }
  put_report(to_report(comparison), options.output);
  Faults faults;
  for (const contest::MachineResult& result : comparison.machines) {
    for (const contest::SizeRows& row : result.rows) {
      for (const Row& entry : row.entries) faults.add(entry);
    }
  }
  faults.require_none();
}

}  // namespace agpusim
