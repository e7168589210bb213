#pragma once

#include <cuda_runtime_api.h>

namespace agpusim {

/// Makes device 0 current, once. Throws CudaError with the code `unavailable` when there is none.
void require_cuda_device();

/// The stream on which this thread's work is ordered: that of the innermost StreamScope, else one
/// for the whole process, so that timing a program needs to know nothing about it. Throws as
/// require_cuda_device does.
[[nodiscard]] cudaStream_t cuda_stream();

/// While it lives, cuda_stream() is another one for this thread.
class StreamScope {
 public:
  explicit StreamScope(cudaStream_t stream);
  ~StreamScope();
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  cudaStream_t before_;
};

}  // namespace agpusim
