#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "agpusim/cli/machine_options.hpp"
#include "agpusim/cli/report_output.hpp"
#include "agpusim/commands/pipeline/machine.hpp"

namespace agpusim {

/// The command line of `agpusim pipeline`; an empty text means that the option is not given.
struct PipelineOptions {
  std::string task;  ///< empty: list the tasks
  std::string scheme;
  std::optional<std::int64_t> n;
  std::optional<std::int64_t> budget;  ///< bytes of device memory
  std::int32_t streams = 3;
  std::optional<std::int64_t> chunk;  ///< elements; none: chosen by the model
  MachineOptions machine;
  std::string device;            ///< whose constants
  std::string devices;           ///< folder of device files; empty: the bundled ones
  out_of_core::LinkChoice link;  ///< in the place of the device's
  bool exclusive = false;
  bool simulate = false;
  std::uint64_t seed = 1;
  ReportOutput output;
};

/// Prints the plan of a task on an array larger than the device, then throws Mismatch when a
/// simulated result is wrong.
void run_pipeline(const PipelineOptions& options);

}  // namespace agpusim
