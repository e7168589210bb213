#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "agpusim/model/agpu/spec.hpp"

namespace agpusim {

/// The machine as the command line gave it; an empty text means "as in the named machine".
struct MachineOptions {
  std::string machine = "h200";
  std::string devices;       ///< --devices, where a command has it: device files with machines
  std::string cores;         ///< --p
  std::string block_words;   ///< --b
  std::string shared_words;  ///< --M
  std::string word_bits;     ///< --w
  std::string width;         ///< --V
  std::string bank_mode = "merge";
  std::string assignment = "static";
  std::string cap = "0";
  bool no_skip_empty = false;
};

void add_machine_options(CLI::App& command, MachineOptions& options);

/// The named machine with the given parameters in place of its own. When b is given without V, a
/// task keeps its number of warps (V = W·b). Throws UsageError for a machine that cannot exist.
[[nodiscard]] AgpuSpec make_spec(const MachineOptions& options);

}  // namespace agpusim
