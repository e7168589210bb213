#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/cli/cuda_access.hpp"
#include "agpusim/cli/plan_runner.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/papers/common/contest.hpp"
#include "agpusim/validation/report/report.hpp"

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

/// One experiment.
struct PaperExperiment {
  std::string name;         ///< what it is about
  std::string alias;        ///< first author of the paper
  std::string summary;      ///< what is compared, and the paper
  std::string plan;         ///< what is measured, a bundled plan; empty: `measure` knows
  std::string calibration;  ///< what --calibrate measures, a bundled plan; empty: nothing
  report::Report (*report)(const ExperimentCommand&) = nullptr;  ///< what the records say
  PlanResult (*measure)(const ExperimentCommand&, const CudaSupport&) = nullptr;
};

/// The experiments, and the one of a name or an alias. Throws UsageError for an unknown name.
[[nodiscard]] const std::vector<PaperExperiment>& paper_experiments();
[[nodiscard]] const PaperExperiment& find_experiment(const std::string& name);

[[nodiscard]] report::Report out_of_core_report(const ExperimentCommand& command);
[[nodiscard]] PlanResult measure_out_of_core(const ExperimentCommand& command,
                                             const CudaSupport& cuda);

/// The files of --records, else a bundled one of the H200.
[[nodiscard]] std::vector<std::filesystem::path> records_of(const ExperimentCommand& command,
                                                            const std::string& bundled);

/// The device file of a device, from --devices or the bundled ones.
[[nodiscard]] DeviceFile device_of(const ExperimentCommand& command, const std::string& device);

/// A named machine.
[[nodiscard]] AgpuSpec spec_of_machine(const std::string& name);

}  // namespace agpusim
