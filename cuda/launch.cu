#include "agpusim/cuda/launch.cuh"

namespace agpusim {
namespace {

__global__ void waits() { wait_for_kernels_before(); }

}  // namespace

bool has_dependent_launch() {
  // Code for an older device does not wait, wherever it runs.
  static const bool has = [] {
    require_cuda_device();
    cudaFuncAttributes attributes{};
    AGPUSIM_CUDA_CHECK(cudaFuncGetAttributes(&attributes, waits));
    return attributes.ptxVersion >= 90;
  }();
  return has;
}

}  // namespace agpusim
