#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/cuda/timing.cuh"

namespace agpusim {

/// Repeats of every measurement of the calibration; their median counts.
inline constexpr int probe_repeats = 7;

/// The median of `probe_repeats` values of `measure()`, after one that does not count.
template <class Measure>
[[nodiscard]] double median_of_repeats(Measure measure) {
  static_cast<void>(measure());
  std::vector<double> values;
  for (int i = 0; i < probe_repeats; ++i) values.push_back(measure());
  std::nth_element(values.begin(), values.begin() + probe_repeats / 2, values.end());
  return values[probe_repeats / 2];
}

/// Microseconds on the device of the work that `enqueue()` enqueues. The device waits `lead`
/// microseconds before, in which the host must have enqueued it.
template <class Enqueue>
[[nodiscard]] double device_microseconds(Enqueue enqueue, double lead = 50) {
  Stopwatch stopwatch;
  enqueue_wait(lead);
  stopwatch.start();
  enqueue();
  AGPUSIM_CUDA_CHECK(cudaGetLastError());
  stopwatch.stop();
  return stopwatch.microseconds();
}

/// Multiprocessors of the device.
[[nodiscard]] int probe_multiprocessors();

// Rates of the whole device with 64 warps on every multiprocessor, per nanosecond.
[[nodiscard]] double probe_issue_rate();   ///< warp instructions, FP32 and integer in turn
[[nodiscard]] double probe_int_rate();     ///< warp instructions, 32-bit add, logic, min, max
[[nodiscard]] double probe_shared_rate();  ///< wavefronts, conflict-free 32-bit loads
[[nodiscard]] double probe_clock();        ///< cycles of a multiprocessor while all are busy

// Blocks of 128 bytes per nanosecond when each lane of a request accesses a word in another one,
// over `bytes` of memory (a power of two).
[[nodiscard]] double probe_block_read_rate(std::size_t bytes);
[[nodiscard]] double probe_block_write_rate(std::size_t bytes);
/// Blocks per nanosecond when warps, each a CTA, write the columns of a tile one after another.
[[nodiscard]] double probe_warp_write_rate();

/// Lane operations per nanosecond of 32-bit atomic additions at random words of `bytes` of memory
/// (a power of two).
[[nodiscard]] double probe_atomic_rate(std::size_t bytes);

// Cycles of a warp that runs alone.
[[nodiscard]] double probe_alu_latency();  ///< per dependent 32-bit integer instruction

/// Microseconds of each further kernel of a sequence in which every thread, as many as the device
/// holds, reads what it wrote in the kernel before, by way of the L2 cache, and writes it again.
[[nodiscard]] double probe_launch();
/// Microseconds of a single kernel that does nothing.
[[nodiscard]] double probe_launch_latency();

// Gigabytes per second of device memory; a copy counts both directions.
[[nodiscard]] double probe_bandwidth_copy();
[[nodiscard]] double probe_bandwidth_read();
[[nodiscard]] double probe_bandwidth_write();

/// GB/s of reading `bytes` again and again, past the L1 caches.
[[nodiscard]] double probe_resident_read(std::size_t bytes);

// Nanoseconds of one dependent load, past the L1 cache, in a random walk.
[[nodiscard]] double probe_memory_latency();  ///< over 1 GiB, the L2 cache flushed before
[[nodiscard]] double probe_l2_latency();      ///< over 4 MiB that the L2 cache holds

}  // namespace agpusim
