#include "agpusim/validation/measure/cuda_support.hpp"

// Stands in for cuda_support.cu in a build without CUDA.
std::optional<agpusim::CudaSupport> agpusim::cuda_support(CudaRegistry /*own*/) {
  return std::nullopt;
}
