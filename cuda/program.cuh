#pragma once

#include <cstdint>
#include <memory>

#include "agpusim/cuda/device.cuh"
#include "agpusim/cuda/registry.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim {

/// A host program and the CUDA device it is prepared on.
class CudaHostProgram : public CudaProgram {
 public:
  /// `make(device, config)` prepares the program.
  template <class Make>
  CudaHostProgram(const RunConfig& config, Make make)
      : device_(config.spec), program_(make(device_, config)) {
    device_.save();
  }
  void reset() override { device_.restore(); }
  void run() override { program_->run(); }
  std::uint64_t checksum() override { return program_->checksum(); }

 private:
  CudaDevice device_;
  std::unique_ptr<HostProgram> program_;
};

}  // namespace agpusim
