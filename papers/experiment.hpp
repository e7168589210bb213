#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/cli/cuda_access.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/papers/common/plan.hpp"

namespace agpusim {

/// The CUDA half of this build with the probes of the papers. Throws as require_cuda() does.
[[nodiscard]] CudaSupport cuda_of_papers();

/// The command line of `agpusim experiment`; an empty text means that the option is not given.
struct ExperimentCommand {
  std::string name;       ///< empty: list the experiments
  std::string measure;    ///< file that the records of the runs are added to
  std::string calibrate;  ///< file that the records of the calibration are added to
  contest::SizeChoice sizes;
  std::optional<double> max_seconds;
  std::vector<std::string> records;  ///< empty: the bundled ones
  std::string cub_records;           ///< records of the calibration; empty: the bundled ones
  std::string devices;               ///< folder of device files; empty: the bundled ones
  ReportOutput output;
  int threads = 0;  ///< 0: one per core
};

/// Lists the experiments, measures one on the first CUDA device, or analyses its records. `cuda` is
/// asked for the device once the options are known to be usable.
void run_experiment(const ExperimentCommand& command,
                    const std::function<CudaSupport()>& cuda = cuda_of_papers);

}  // namespace agpusim
