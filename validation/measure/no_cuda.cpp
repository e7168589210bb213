#include "agpusim/validation/measure/cuda_support.hpp"

// Of a build without CUDA; cuda_support.cu otherwise.
std::optional<agpusim::CudaSupport> agpusim::cuda_support(CudaRegistry /*own*/) {
  return std::nullopt;
}
