#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/cli/assignments.hpp"
#include "agpusim/cli/machine_options.hpp"
#include "agpusim/cli/report_output.hpp"

namespace agpusim {

/// What `agpusim run`, `step` and `why` run, and on which machine; an empty variant, type or input
/// means the row's default.
struct RunOptions {
  std::string algorithm;
  std::optional<std::int64_t> n;
  MachineOptions machine;
  std::string variant;
  std::string type;
  std::string input;
  std::uint64_t seed = 1;
  Settings set;
  int threads = 0;  ///< 0: one per core
  bool no_checks = false;
  bool by_line = false;
  ReportOutput output;
};

/// The options that say what runs on which machine. With `sizes`, --n is a list into it, and so are
/// the values of the `lists` of the machine.
void add_config_options(CLI::App& command, RunOptions& options,
                        std::vector<std::int64_t>* sizes = nullptr,
                        const std::set<std::string>& lists = {});

/// The run that the options describe. Throws UsageError for anything it cannot be made of.
[[nodiscard]] RunConfig make_config(const RunOptions& options);

}  // namespace agpusim
