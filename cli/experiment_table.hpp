#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agpusim/cli/cuda_access.hpp"
#include "agpusim/cli/experiment.hpp"

namespace agpusim {

/// One experiment of `agpusim experiment`.
struct PaperExperiment {
  std::string name;              ///< what it is about
  std::string alias;             ///< first author of the paper
  std::string summary;           ///< what is compared, and the paper
  bool has_calibration = false;  ///< knows --calibrate and --cub-records
  /// Times the runs on the device and adds their records to the files of the command.
  std::function<void(const ExperimentCommand&, const CudaSupport&)> measure;
  /// Prints what the records say.
  std::function<void(const ExperimentCommand&)> report;
};

/// Every experiment.
[[nodiscard]] const std::vector<PaperExperiment>& paper_experiments();

/// Kozakai 2022 (seed 000).
[[nodiscard]] PaperExperiment kozakai_paper();

/// Nishimura and Toyonaga (seed 003).
[[nodiscard]] PaperExperiment nishimura_paper();

/// Miura, Chang and Miyazaki (seed 004).
[[nodiscard]] PaperExperiment miura_paper();

}  // namespace agpusim
