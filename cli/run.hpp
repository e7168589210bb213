#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/cli/machine_options.hpp"
#include "agpusim/cli/report_output.hpp"

namespace agpusim {

/// The command line of `agpusim run`; an empty variant, type or input means the row's default.
struct RunOptions {
  std::string algorithm;
  std::string n;
  MachineOptions machine;
  std::string variant;
  std::string type;
  std::string input;
  std::string seed = "1";
  std::vector<std::string> set;  ///< NAME=VALUE each
  std::string threads = "0";     ///< 0: one per core
  bool no_checks = false;
  bool by_line = false;
  ReportOutput output;
};

/// The options that say what runs on which machine.
void add_config_options(CLI::App& command, RunOptions& options);

/// The run that the options describe. Throws UsageError for anything it cannot be made of.
[[nodiscard]] RunConfig make_config(const RunOptions& options);

/// Simulates, prints the cost sheet, then throws Mismatch when the result differs from the
/// reference or the counts from the derived ones.
void run_run(const RunOptions& options);

}  // namespace agpusim
