#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agpusim/papers/out_of_core/device_runs.hpp"

namespace agpusim::out_of_core {

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
