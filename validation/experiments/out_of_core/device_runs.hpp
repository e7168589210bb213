#pragma once

#include <cstdint>
#include <span>

#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/transfer/host_piece.hpp"
#include "agpusim/model/transfer/progress.hpp"
#include "agpusim/validation/experiments/out_of_core/run_record.hpp"
#include "agpusim/validation/pipeline/arrays.hpp"

namespace agpusim::out_of_core {

/// The arrays of a run in host memory, each of n elements or, where a task has none, empty.
struct HostArrays {
  std::span<double> in;
  std::span<std::int64_t> places;          ///< of a scatter
  std::span<std::uint32_t> heads;          ///< of a segmented task, 1 where a segment begins
  std::span<double> out;                   ///< as many elements as the task has results
  std::span<double> scratch;               ///< what a scheme writes on the way
  std::span<std::int64_t> scratch_places;  ///< of a partitioned scatter, the seed's sort
  std::span<std::int64_t> words;           ///< of the seed's sort, a hash table
};

/// The same as a program takes them.
[[nodiscard]] inline Arrays arrays_of(const HostArrays& arrays) {
  const auto piece = []<class T>(std::span<T> array) {
    return HostPiece<T>(array.data(), std::ssize(array));
  };
  return {piece(arrays.in),      piece(arrays.places),         piece(arrays.out),
          piece(arrays.scratch), piece(arrays.scratch_places), piece(arrays.words),
          piece(arrays.heads)};
}

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

}  // namespace agpusim::out_of_core
