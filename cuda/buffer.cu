#include <utility>

#include <fmt/format.h>

#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/error.cuh"

namespace agpusim {

DeviceBuffer::DeviceBuffer(std::size_t bytes, std::string name)
    : name_(std::move(name)), bytes_(bytes) {
  const cudaError_t code = cudaMalloc(&data_, bytes);
  if (code == cudaSuccess) return;
  // A failed allocation is remembered by the runtime, which would blame the next launch for it.
  static_cast<void>(cudaGetLastError());
  std::size_t free = 0;
  std::size_t total = 0;
  if (code == cudaErrorMemoryAllocation && cudaMemGetInfo(&free, &total) == cudaSuccess) {
    throw CudaError(code,
                    fmt::format("array '{}' needs {} bytes of device memory, of which {} of {} "
                                "are free",
                                name_, bytes, free, total));
  }
  throw CudaError(code, fmt::format("cannot allocate array '{}' of {} bytes: {} ({})", name_, bytes,
                                    cudaGetErrorName(code), cudaGetErrorString(code)));
}

DeviceBuffer::~DeviceBuffer() { static_cast<void>(cudaFree(data_)); }

void DeviceBuffer::upload(const void* from, cudaStream_t stream) {
  AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(data_, from, bytes_, cudaMemcpyHostToDevice, stream));
  AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(stream));
}

void DeviceBuffer::download(void* to, cudaStream_t stream) const {
  AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(to, data_, bytes_, cudaMemcpyDeviceToHost, stream));
  AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace agpusim
