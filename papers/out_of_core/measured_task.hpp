#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

/// Bytes of host memory that a run needs, alignment included.
[[nodiscard]] std::int64_t host_bytes(const Run& run);

/// When to stop repeating a run.
struct RepeatRule {
  std::int32_t repeats = 5;  ///< after one that is not counted (none before a run of the host)
  double max_seconds = 10;   ///< most seconds of the repeats together; one is always made
  bool timeline = false;     ///< one more run on the device, with its timeline
};

/// Prepares inputs in a piece of host memory, runs tasks on them and checks every result.
class MeasuredTask {
 public:
  /// `memory` is for runs on pinned memory and must outlive this; `device` may be null when only
  /// runs of the host follow.
  MeasuredTask(std::span<std::byte> memory, DeviceRuns* device)
      : memory_(memory), device_(device) {}

  /// Seconds, stop and timeline of a record; the rest is left to the caller. Runs of one task and n
  /// that follow each other share the input. Throws Mismatch when a result is wrong, UsageError
  /// when the memory is too small.
  RunRecord measure(const Run& run, const RepeatRule& rule, const Control& control = {});

 private:
  void prepare(const Run& run);
  double run_once(const Run& run, const Control& control);
  double run_on_host(const Run& run);
  void check(const Run& run) const;

  std::span<std::byte> memory_;
  DeviceRuns* device_;
  std::vector<double> pageable_;  // what runs on pageable memory use in place of memory_
  Run prepared_;
  HostArrays arrays_;
};

}  // namespace agpusim::out_of_core
