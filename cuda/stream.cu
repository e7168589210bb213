#include <utility>

#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"

namespace agpusim {
namespace {

thread_local cudaStream_t scope_stream = nullptr;  // none outside a StreamScope

}  // namespace

void require_cuda_device() {
  int devices = 0;
  AGPUSIM_CUDA_CHECK(cudaGetDeviceCount(&devices));
  if (devices == 0) throw CudaError(cudaErrorNoDevice, "no CUDA device is visible");
  AGPUSIM_CUDA_CHECK(cudaSetDevice(0));
}

cudaStream_t cuda_stream() {
  if (scope_stream != nullptr) return scope_stream;
  // Never destroyed: at the end of the process the driver may already be gone.
  static const cudaStream_t stream = [] {
    require_cuda_device();
    cudaStream_t created = nullptr;
    AGPUSIM_CUDA_CHECK(cudaStreamCreateWithFlags(&created, cudaStreamNonBlocking));
    return created;
  }();
  return stream;
}

StreamScope::StreamScope(cudaStream_t stream) : before_(std::exchange(scope_stream, stream)) {}

StreamScope::~StreamScope() { scope_stream = before_; }

}  // namespace agpusim
