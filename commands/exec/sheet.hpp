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
  std::optional<Failure> failure;
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
  std::optional<report::Section> why = {};  ///< what --why asks for
  bool strict = false;                      ///< notes are defects
  bool by_line = false;  ///< show all lines, launches and findings, else the costliest ones
};

/// What has changed, `most` rows of each kind for readers.
[[nodiscard]] report::Section comparison_section(const Comparison& against, std::size_t most);
/// A cost of a change as readers see it.
[[nodiscard]] std::string number_text(const Change& change, double cost);

/// Launches, lines, findings, conditions and comparison; text has 80 lines at most without
/// `by_line`, beside the conditions. JSON has all.
[[nodiscard]] report::Report to_report(const Sheet& sheet);

}  // namespace agpusim::exec
