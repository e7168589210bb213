#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "agpusim/model/agpu/spec.hpp"

namespace agpusim {

/// The machines of the command line: a list that is empty means "as in the named machine".
struct MachineOptions {
  std::vector<std::string> machines = {"h200"};
  std::string devices;  ///< --devices, where a command has it: device files with machines
  std::vector<std::int64_t> cores;
  std::vector<std::int64_t> block_words;
  std::vector<std::int64_t> shared_words;
  std::vector<std::int64_t> word_bits;
  std::vector<std::int64_t> width;
  BankMode bank_mode = BankMode::merge;
  Assignment assignment = Assignment::static_cyclic;
  std::int64_t next_fit_cap = 0;
  bool no_skip_empty = false;
};

/// A parameter of the machine and its option, "--" and the name.
struct MachineAxis {
  std::string name;
  std::vector<std::int64_t> MachineOptions::*values;
  std::int64_t max;
  std::string example;
  std::string help;
};

/// p, b, M, w and V.
[[nodiscard]] const std::vector<MachineAxis>& machine_axes();

/// What takes lists where combinations are compared.
inline const std::set<std::string> all_of_machine = {"machine", "p", "b", "M", "w", "V"};

/// `lists`: the names of the options that take lists and may be repeated; the others take one
/// value.
void add_machine_options(CLI::App& command, MachineOptions& options,
                         const std::set<std::string>& lists = {});

/// The machine of the first value of each list. When b is given without V, a task keeps its number
/// of warps (V = W·b). Throws UsageError for a machine that cannot exist.
[[nodiscard]] AgpuSpec make_spec(const MachineOptions& options);

}  // namespace agpusim
