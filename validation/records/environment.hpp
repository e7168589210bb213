#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace agpusim {

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

}  // namespace agpusim
