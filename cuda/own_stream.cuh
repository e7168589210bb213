#pragma once

#include <cuda_runtime_api.h>

#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"

namespace agpusim {

/// A CUDA stream that waits for no other. Throws CudaError, and as require_cuda_device does.
class OwnStream {
 public:
  OwnStream() {
    require_cuda_device();
    AGPUSIM_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~OwnStream() { static_cast<void>(cudaStreamDestroy(stream_)); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  [[nodiscard]] cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace agpusim
