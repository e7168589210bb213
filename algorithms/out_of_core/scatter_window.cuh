#pragma once

#include <algorithm>
#include <cstdint>

#include "agpusim/algorithms/out_of_core/steps.hpp"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/view.cuh"

namespace agpusim::out_of_core {

/// ScatterStep with places in the window of 64 bits, which the kernel vocabulary does not have.
template <class T, class Index, class Count>
__global__ void __launch_bounds__(256)
    scatter_window(const ScatterStep<T> step, const Index* __restrict__ index,
                   const T* __restrict__ in, T* __restrict__ window, Count* bad) {
  constexpr int in_flight = 4;  // elements of a thread whose loads do not wait for each other
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  const auto size = static_cast<std::uint64_t>(step.size);
  const auto total = static_cast<std::uint64_t>(step.total);
  std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i < step.n; i += in_flight * threads) {
    std::int64_t place[in_flight];
    T value[in_flight];
#pragma unroll
    for (int k = 0; k < in_flight; ++k) {
      const std::int64_t at = i + k * threads < step.n ? i + k * threads : i;
      place[k] = static_cast<std::int64_t>(index[at]);
      value[k] = in[at];
    }
#pragma unroll
    for (int k = 0; k < in_flight; ++k) {
      if (i + k * threads >= step.n) break;
      const auto target = static_cast<std::uint64_t>(place[k] - step.first);
      if (target < size) window[target] = value[k];
      if (static_cast<std::uint64_t>(place[k]) >= total) {
        agpusim::detail::device_atomic_add(bad, Count{1});
      }
    }
  }
}

template <class T, class Index, class Count>
void enqueue_scatter(const ScatterStep<T>& step, const Index* index, const T* in, T* window,
                     Count* bad, cudaStream_t stream) {
  constexpr std::int64_t threads = 256;
  // An eighth of an H200's multiprocessors: still faster than a link brings elements, and copies
  // beside it keep their speed. Beside a scatter on all they stand still for a tenth of its time
  // (bench/copies_and_kernels.cu).
  constexpr std::int64_t most_blocks = 16;
  if (step.n == 0) return;
  const std::int64_t blocks = std::min((step.n + threads - 1) / threads, most_blocks);
  scatter_window<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), 0, stream>>>(
      step, index, in, window, bad);
  AGPUSIM_CUDA_CHECK(cudaGetLastError());
}

}  // namespace agpusim::out_of_core
