#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/cuda/registry.hpp"
#include "agpusim/model/run/run.hpp"
#include "agpusim/validation/calibrate/device_file.hpp"

namespace agpusim {

namespace out_of_core {
class DeviceRuns;
}

/// The device and software a measurement was made with.
struct Environment {
  std::string device;                ///< for example "NVIDIA H200"
  std::string driver;                ///< driver version as the CUDA driver reports it, e.g. "13.0"
  std::string cuda;                  ///< toolkit the binary was compiled with, e.g. "13.0"
  std::string cccl;                  ///< CCCL version, e.g. "3.0.1"
  std::int32_t multiprocessors = 0;  ///< SMs
  std::int32_t clock_mhz = 0;        ///< maximum SM clock
  std::int64_t l2_bytes = 0;
  std::int64_t memory_bytes = 0;
};

/// When to stop repeating a measurement.
struct SamplingRule {
  std::int32_t warmup = 3;  ///< runs not counted
  std::int32_t min_samples = 11;
  std::int32_t max_samples = 101;
  double relative_error =
      0.005;                 ///< stop when the standard error of the mean over the mean is below
  double max_seconds = 1.0;  ///< stop after this much measured time
};

/// All samples of one run, and why sampling stopped.
struct Samples {
  std::vector<double> microseconds;
  std::string stop;  ///< "stable", "max_samples" or "max_seconds"
};

/// What the CUDA half offers to the rest of the program; empty functions in a build without CUDA.
struct CudaSupport {
  /// The first CUDA device; throws Unavailable when this machine has none.
  std::function<Environment()> environment;
  /// Runs `config` with event timing, L2 flushed before each sample; checks the result against
  /// `expected` (the reference checksum) and throws Mismatch when it differs.
  std::function<Samples(const RunConfig& config, std::uint64_t expected, const SamplingRule& rule)>
      time;
  /// Runs `config` once, without timing, for a profiler; checks the result as `time` does.
  std::function<void(const RunConfig& config, std::uint64_t expected)> run_once;
  /// Measures the device constants (launch, bandwidth, issue rate, ...).
  std::function<DeviceFile()> calibrate;
  /// The device as one that runs the tasks of seed 004, with `host_bytes` of pinned host memory.
  std::function<std::unique_ptr<out_of_core::DeviceRuns>(std::int64_t host_bytes)> out_of_core;
  /// Measures only the constants that pipelines of copies and kernels ask for.
  std::function<std::vector<Constant>()> calibrate_link;
};

/// Of the algorithms of this build and of those in `own`; nothing when agpusim was built without
/// CUDA.
[[nodiscard]] std::optional<CudaSupport> cuda_support(CudaRegistry own = {});

}  // namespace agpusim
