#pragma once

#include <functional>
#include <optional>
#include <string>

#include "agpusim/cli/cuda_access.hpp"
#include "agpusim/cli/measure_plan.hpp"
#include "agpusim/cli/report_output.hpp"

namespace agpusim {

/// The command line of `agpusim measure`.
struct MeasureOptions : PlanOptions {
  MeasureOptions() : PlanOptions{.n_min = 1 << 10, .n_max = 1 << 26} {}

  std::string again;  ///< file whose timed runs are measured; empty: the plan
  std::string out;    ///< empty: a name that tells the plan, in the current folder
  bool profile = false;
  std::optional<double> max_seconds;
  ReportOutput output;
};

/// Times the plan's runs on the first CUDA device and adds a record per run to the file, or runs
/// every configuration once for a profiler and writes the plan file that import-counters reads.
/// `cuda` is asked for the device once the options are known to be usable.
void run_measure(const MeasureOptions& options,
                 const std::function<CudaSupport()>& cuda = require_cuda);

}  // namespace agpusim
