#pragma once

#include <memory>

#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/cuda/program.cuh"
#include "agpusim/cuda/registry.hpp"

namespace agpusim {

/// The CUDA half of a row from own_row().
template <class... Types, class Function>
[[nodiscard]] CudaRegistry::Factory own_cuda_half(const Function& function) {
  return [function](const RunConfig& config) -> std::unique_ptr<CudaProgram> {
    return std::make_unique<CudaHostProgram>(config, [&](CudaDevice& device, const RunConfig& of) {
      return own_program<CudaDevice, Types...>(device, of, function);
    });
  };
}

}  // namespace agpusim
