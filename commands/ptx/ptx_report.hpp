#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agpusim/validation/exec/launch_record.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// A launch of a kernel that has been run.
struct PtxRun {
  std::vector<std::string> files;
  std::vector<std::string> arguments;
  std::shared_ptr<const ptx::Program> program;
  exec::LaunchRecord launch;
  RunReport report;
  std::optional<report::Section> why = {};  ///< what --why asks for
};

/// What the launch did wrong, what it cost and what it printed. A launch that a finding stopped has
/// no costs.
[[nodiscard]] report::Report to_report(const PtxRun& run);

}  // namespace agpusim
