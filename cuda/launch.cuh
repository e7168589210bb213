#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"

namespace agpusim {

/// Whether device and code can do programmatic dependent launch: compute capability 9.0.
[[nodiscard]] bool has_dependent_launch();

/// The first statement of a kernel that launch_behind() launches: waits until all that the kernels
/// before it wrote can be read.
__device__ inline void wait_for_kernels_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Enqueues `kernel` on cuda_stream(). Where the device can, its CTAs take their places as soon as
/// those of the kernel before are gone, and not only when the device knows that all they wrote is
/// in memory; bench/phases.cu measures what that saves. No CTAs are one.
template <class... Parameters, class... Arguments>
void launch_behind(void (*kernel)(Parameters...), std::int64_t ctas, std::int64_t threads,
                   std::size_t shared_bytes, Arguments... arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(std::max<std::int64_t>(ctas, 1)));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared_bytes;
  config.stream = cuda_stream();
  config.attrs = &attribute;
  config.numAttrs = has_dependent_launch() ? 1 : 0;
  AGPUSIM_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

}  // namespace agpusim
