#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"

namespace agpusim {

void require_cuda_device() {
  int devices = 0;
  AGPUSIM_CUDA_CHECK(cudaGetDeviceCount(&devices));
  if (devices == 0) throw CudaError(cudaErrorNoDevice, "no CUDA device is visible");
  AGPUSIM_CUDA_CHECK(cudaSetDevice(0));
}

cudaStream_t cuda_stream() {
  // Never destroyed: at the end of the process the driver may already be gone.
  static const cudaStream_t stream = [] {
    require_cuda_device();
    cudaStream_t created = nullptr;
    AGPUSIM_CUDA_CHECK(cudaStreamCreateWithFlags(&created, cudaStreamNonBlocking));
    return created;
  }();
  return stream;
}

}  // namespace agpusim
