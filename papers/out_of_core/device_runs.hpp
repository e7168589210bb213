#pragma once

#include <cstdint>
#include <span>

#include "agpusim/commands/pipeline/arrays.hpp"
#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/transfer/progress.hpp"
#include "agpusim/papers/out_of_core/run_record.hpp"
#include "agpusim/validation/measure/cuda_support.hpp"

namespace agpusim::out_of_core {

/// What one run on the device gave.
struct DeviceRun {
  double seconds = 0;  ///< from the first copy or kernel to the end; buffers were there before
  Timeline timeline;   ///< where it was asked for
};

/// The machine whose tasks the device runs: V = 256 fills an H200.
[[nodiscard]] inline AgpuSpec device_spec() {
  AgpuSpec spec;
  spec.width = 256;
  return spec;
}

/// A device that can run the tasks.
class DeviceRuns {
 public:
  DeviceRuns() = default;
  DeviceRuns(const DeviceRuns&) = delete;
  DeviceRuns& operator=(const DeviceRuns&) = delete;
  virtual ~DeviceRuns() = default;
  /// Pinned host memory, for arrays.
  [[nodiscard]] virtual std::span<std::byte> host_memory() = 0;
  /// Runs a task on arrays in host_memory() or, for a run on pageable memory, elsewhere. With
  /// `timeline`, events around every operation make it a little slower. Throws UsageError for an
  /// unknown task or scheme and what the programs throw.
  virtual DeviceRun run(const Run& run, const HostArrays& arrays, bool timeline,
                        const Control& control) = 0;
};

/// Adds the first CUDA device, with as much pinned memory as is asked for, which throws CudaError;
/// nothing in a build without CUDA.
void add_cuda_runs(CudaSupport& support);

}  // namespace agpusim::out_of_core
