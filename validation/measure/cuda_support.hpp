#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/cuda/registry.hpp"
#include "agpusim/model/run/run.hpp"
#include "agpusim/validation/records/device_file.hpp"
#include "agpusim/validation/records/environment.hpp"

namespace agpusim {

namespace out_of_core {
class DeviceRuns;
}

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
  std::function<std::unique_ptr<out_of_core::DeviceRuns>(std::int64_t host_bytes)>
      out_of_core;  ///< added by papers/out_of_core
  /// Measures only the constants that pipelines of copies and kernels ask for.
  std::function<std::vector<Constant>()> calibrate_link;
};

/// Support for the algorithms of this build and those in `own`; nothing when agpusim was built
/// without CUDA.
[[nodiscard]] std::optional<CudaSupport> cuda_support(CudaRegistry own = {});

}  // namespace agpusim
