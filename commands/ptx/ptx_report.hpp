#pragma once

#include <string>
#include <vector>

#include "agpusim/ptx/run/launch.hpp"
#include "agpusim/validation/predict/residency.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// A launch of a kernel that has been run.
struct PtxRun {
  std::vector<std::string> files;
  std::string name;  ///< readable name of the kernel
  std::vector<std::string> arguments;
  std::uint32_t dynamic_shared = 0;  ///< bytes
  std::shared_ptr<const ptx::Program> program;
  ptx::LaunchReport launch;
  RunReport report;
  PredictedRun predicted;
};

/// What the launch did wrong, what it cost and what it printed. A launch that a finding stopped has
/// no costs.
[[nodiscard]] report::Report to_report(const PtxRun& run);

}  // namespace agpusim
