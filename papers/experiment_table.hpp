#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/cli/cuda_access.hpp"
#include "agpusim/cli/plan_runner.hpp"
#include "agpusim/papers/common/contest.hpp"
#include "agpusim/papers/experiment.hpp"
#include "agpusim/validation/report/report.hpp"

// The experiments of `agpusim experiment`, and what they have in common.
namespace agpusim {

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
