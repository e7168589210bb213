#pragma once

#include <string>

#include "agpusim/cli/machine_options.hpp"
#include "agpusim/cli/report_output.hpp"

namespace agpusim {

/// The command line of `agpusim pipeline`; an empty text means that the option is not given.
struct PipelineOptions {
  std::string task;  ///< empty: list the tasks
  std::string scheme;
  std::string n;
  std::string budget;  ///< bytes of device memory
  std::string streams = "3";
  std::string chunk;  ///< elements; empty: chosen by the model
  MachineOptions machine;
  std::string device;   ///< whose constants
  std::string devices;  ///< folder of device files; empty: the bundled ones
  std::string in_gbps;
  std::string out_gbps;
  std::string both_gbps;
  std::string latency_us;
  std::string host_gbps;
  std::string copy_engines;
  bool pageable = false;
  bool exclusive = false;
  bool simulate = false;
  std::string seed = "1";
  ReportOutput output;
};

/// Prints the plan of a task on an array larger than the device, then throws Mismatch when a
/// simulated result is wrong.
void run_pipeline(const PipelineOptions& options);

}  // namespace agpusim
