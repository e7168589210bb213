#pragma once

#include <cstddef>
#include <cstdint>

#include "agpusim/cuda/launch.cuh"
#include "agpusim/cuda/launch_shape.cuh"
#include "agpusim/cuda/multiprocessor.cuh"

namespace agpusim {

namespace detail {

/// What a kernel sees of an argument: a view of an array, which arrives as an address, and anything
/// else as it is.
template <class T>
__device__ CudaGlobalView<T> bind(T* array) {
  return CudaGlobalView<T>(array);
}
template <class T>
__device__ const T& bind(const T& value) {
  return value;
}

}  // namespace detail

/// Runs the tasks `first`, `first`+1, ... < `tasks`: one warp each with `one_warp`, else one CTA
/// each. `task_bytes` is the shared memory of a task. The kernel is a template argument so that
/// profilers show its name.
template <class Kernel, bool one_warp, class... Arguments>
__global__ void __launch_bounds__(one_warp ? max_warps_per_cta* cuda_warp_lanes : 1024)
    run_kernel(const __grid_constant__ Kernel kernel, std::int64_t first, std::int64_t tasks,
               std::int32_t task_bytes, Arguments... arguments) {
  extern __shared__ __align__(16) std::byte agpusim_shared[];
  wait_for_kernels_before();
  if constexpr (one_warp) {
    // Signed: of unsigned parts alone nvcc computes the task again wherever it is used.
    const std::int32_t warp = static_cast<std::int32_t>(threadIdx.x) / cuda_warp_lanes;
    const auto warps = static_cast<std::int32_t>(blockDim.x / cuda_warp_lanes);
    const std::int64_t task = first + std::int64_t{blockIdx.x} * warps + warp;
    if (task >= tasks) return;
    CudaMp<true> mp(task, agpusim_shared + warp * task_bytes);
    kernel(mp, detail::bind(arguments)...);
  } else {
    CudaMp<false> mp(first + blockIdx.x, agpusim_shared);
    kernel(mp, detail::bind(arguments)...);
  }
}

}  // namespace agpusim
