#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agpusim/commands/exec/against.hpp"
#include "agpusim/commands/exec/condition.hpp"
#include "agpusim/validation/exec/fold.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::exec {

/// A condition and why it does not hold; nothing where it does.
struct Checked {
  Condition condition;
  std::optional<std::string> failure;
};

/// What `agpusim exec` has to say.
struct Sheet {
  std::vector<std::string> command;  ///< the program and its arguments
  int exit_code = 0;  ///< what the program returned; 128 and the signal that ended it
  AgpuSpec spec;
  std::string device;  ///< whose times are predicted
  ProgramReport program;
  std::vector<Checked> conditions = {};
  std::optional<Comparison> against = {};
  bool strict = false;   ///< notes are defects
  bool by_line = false;  ///< show all lines, launches and findings, else the costliest ones
};

/// Launches, lines, findings, conditions and comparison; text has 80 lines at most without
/// `by_line`, beside the conditions. JSON has all.
[[nodiscard]] report::Report to_report(const Sheet& sheet);

}  // namespace agpusim::exec
