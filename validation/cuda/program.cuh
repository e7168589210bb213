#pragma once

#include <cstdint>
#include <memory>

#include "agpusim/cuda/device.cuh"
#include "agpusim/validation/cuda_registry.hpp"

namespace agpusim {

/// Runs a host program, which is a template over its device, as a CudaProgram: `Program` is its
/// instantiation with CudaDevice.
template <class Program>
class CudaProgramOf : public CudaProgram {
 public:
  explicit CudaProgramOf(const RunConfig& config)
      : device_(config.spec), program_(device_, config) {
    device_.save();
  }
  void reset() override { device_.restore(); }
  void run() override { program_.run(); }
  std::uint64_t checksum() override { return program_.checksum(); }

 private:
  CudaDevice device_;
  Program program_;
};

template <class Program>
[[nodiscard]] std::unique_ptr<CudaProgram> make_cuda_program(const RunConfig& config) {
  return std::make_unique<CudaProgramOf<Program>>(config);
}

}  // namespace agpusim
