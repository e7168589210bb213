#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "agpusim/cli/assignments.hpp"
#include "agpusim/cli/compare_machines.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/validation/rows/selection.hpp"

namespace agpusim {

/// What a command line says of its runs; an empty text means that the option is not given.
struct SelectionOptions {
  std::string algorithm;                  ///< the one program of run, step, why and pram
  std::string variant;                    ///< the form of that one
  std::optional<PramSpec> pram = {};      ///< the machine of that one; none: on AGPU
  std::optional<PramAccess> access = {};  ///< --model; none: the variant's own
  std::vector<std::string> programs;  ///< several: NAME[:VARIANT][,PARAMETER=VALUE...], or pram/...
  std::vector<std::int64_t> n;        ///< none with an input that gives its elements
  MachineOptions machine;
  DeviceChoice device;
  std::string type;
  std::string input;
  std::uint64_t seed = 1;
  Settings set;  ///< for every program that has the name
};

/// What `agpusim run`, `step` and `why` run.
struct RunOptions : SelectionOptions {
  int threads = 0;  ///< 0: one per core
  bool no_checks = false;
  bool by_line = false;
  ReportOutput output;
};

/// The options that say what runs on which machine. The values of the `lists`, which "n" and those
/// of the machine may be, are lists.
void add_config_options(CLI::App& command, RunOptions& options,
                        const std::set<std::string>& lists = {});

/// --model, into an access rule.
CLI::Option* add_model(CLI::App& command, std::optional<PramAccess>& access,
                       const std::string& help);

/// Programs as the command line names them, "all", "NAME:all" and "pram/all" spelled out.
[[nodiscard]] std::vector<std::string> spelled_out(const std::vector<std::string>& texts);

/// The selection that the options describe: of one program on one machine, or of all programs on
/// every combination of machines. A program is a row's or, where only measurements exist, one of
/// the records'; with `on_prams`, also a row's on a PRAM. `set` is for programs that have the
/// parameter and do not choose it themselves. Throws UsageError that names what is not known.
[[nodiscard]] Selection selection_of(const SelectionOptions& options,
                                     const std::vector<TimingRecord>& records = {},
                                     bool on_prams = false);

/// The run on a PRAM that the options describe. Throws UsageError for anything it cannot be made
/// of, and for an input that cannot fit this machine's memory.
[[nodiscard]] RunConfig make_pram_config(const SelectionOptions& options);

}  // namespace agpusim
