#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

#include "agpusim/cuda/buffer.cuh"

namespace agpusim {

/// Measures the time that work takes on the device, from start() to stop() in the order of
/// cuda_stream().
class Stopwatch {
 public:
  Stopwatch();
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  void start();
  void stop();
  /// Waits for the work before stop(); microseconds between the two. Resolution: 0.5 us.
  [[nodiscard]] double microseconds();

 private:
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

/// Drives everything else out of the L2 cache: writes twice the cache's size, each time another
/// pattern, then reads as much memory that is never written, so that no later work pays for writing
/// back.
class L2Flush {
 public:
  L2Flush();
  /// Enqueues one flush; some tens of microseconds on the device.
  void enqueue();

 private:
  std::size_t half_;  // bytes
  DeviceBuffer buffer_;
  unsigned round_ = 0;
};

/// Keeps the device busy for `microseconds`, so that the host can enqueue what follows before the
/// device reaches it, and host time is not measured.
void enqueue_wait(double microseconds);

}  // namespace agpusim
