#pragma once

#include <cuda_runtime_api.h>

namespace agpusim {

/// Makes device 0 current, once. Throws CudaError with the code `unavailable` when there is none.
void require_cuda_device();

/// The one stream on which all work of this process is ordered, so that timing a program needs to
/// know nothing about it. Throws as require_cuda_device does.
[[nodiscard]] cudaStream_t cuda_stream();

}  // namespace agpusim
