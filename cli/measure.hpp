#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agpusim/cli/cuda_access.hpp"
#include "agpusim/cli/report_output.hpp"

namespace agpusim {

struct MeasureOptions {
  std::vector<std::string> algorithms;  ///< empty: all
  std::vector<std::string> variants;    ///< empty: all
  std::vector<std::string> machines;    ///< empty: the usual ones
  std::vector<std::string> inputs;      ///< empty: the usual ones
  std::vector<std::string> set;         ///< NAME=VALUE of parameters
  std::string again;                    ///< file whose timed runs are measured; empty: the plan
  std::string n_min = "2^10";
  std::string n_max = "2^26";
  std::string out;  ///< empty: a name that tells the plan, in the current folder
  std::string plan = "default";
  bool profile = false;     ///< the same as plan "profile"
  std::string max_seconds;  ///< empty: no limit
  ReportOutput output;
};

/// Times the plan's runs on the first CUDA device and adds a record per run to the file, or runs
/// every configuration once for a profiler and writes the plan file that import-counters reads.
/// `cuda` is asked for the device once the options are known to be usable.
void run_measure(const MeasureOptions& options,
                 const std::function<CudaSupport()>& cuda = require_cuda);

}  // namespace agpusim
