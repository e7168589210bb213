#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "agpusim/algorithms/out_of_core/library_steps.hpp"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/view.cuh"

// The library steps on CUDA: with CUB. A function called without temporary memory only says how
// many bytes of it n elements need.
namespace agpusim::out_of_core {

struct TemporaryMemory {
  void* data = nullptr;
  std::size_t bytes = 0;
};

namespace detail {

template <class T>
struct Less {
  __host__ __device__ bool operator()(const T& a, const T& b) const { return a < b; }
};

/// Puts what CUB left in one of two buffers into `out`, its second at first.
template <class T>
void collect(cub::DoubleBuffer<T>& buffers, T* out, std::int64_t n, cudaStream_t stream) {
  if (buffers.Current() == out) return;
  AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(out, buffers.Current(),
                                     static_cast<std::size_t>(n) * sizeof(T),
                                     cudaMemcpyDeviceToDevice, stream));
}

/// counts[w] += number of places of window w, counts[windows] those outside 0..total-1.
template <class T, class Count>
__global__ void __launch_bounds__(512)
    count_windows(const PartitionStep<T> step, const std::int64_t* __restrict__ places,
                  Count* counts) {
  extern __shared__ unsigned window_count[];
  for (int w = static_cast<int>(threadIdx.x); w <= step.windows;
       w += static_cast<int>(blockDim.x)) {
    window_count[w] = 0;
  }
  __syncthreads();
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i < step.n; i += threads) {
    const std::int64_t place = places[i];
    const bool outside = place < 0 || place >= step.total;
    atomicAdd(window_count + (outside ? step.windows : place >> step.shift), 1U);
  }
  __syncthreads();
  for (int w = static_cast<int>(threadIdx.x); w <= step.windows;
       w += static_cast<int>(blockDim.x)) {
    if (window_count[w] != 0) {
      agpusim::detail::device_atomic_add(counts + w, static_cast<Count>(window_count[w]));
    }
  }
}

}  // namespace detail

/// Sorts in[0..n-1] to out[0..n-1] by operator<; `in` holds nothing of value afterwards.
template <class T>
void cub_sort(TemporaryMemory& temporary, T* in, T* out, std::int64_t n, cudaStream_t stream) {
  if constexpr (std::is_arithmetic_v<T>) {
    cub::DoubleBuffer<T> keys(in, out);
    AGPUSIM_CUDA_CHECK(cub::DeviceRadixSort::SortKeys(temporary.data, temporary.bytes, keys, n, 0,
                                                      static_cast<int>(8 * sizeof(T)), stream));
    if (temporary.data != nullptr) detail::collect(keys, out, n, stream);
  } else {
    AGPUSIM_CUDA_CHECK(cub::DeviceMergeSort::SortKeysCopy(temporary.data, temporary.bytes, in, out,
                                                          n, detail::Less<T>{}, stream));
  }
}

/// The pairs (place, value) of a PartitionStep.
template <class T>
struct PartitionPairs {
  std::int64_t* places;
  T* values;
};

/// `in` holds nothing of value afterwards. Places outside 0..total-1 are counted, and may lie
/// anywhere among the others.
template <class T, class Count>
void cub_partition(TemporaryMemory& temporary, const PartitionStep<T>& step, PartitionPairs<T> in,
                   PartitionPairs<T> out, Count* counts, cudaStream_t stream) {
  using Key = std::uint64_t;
  constexpr std::int32_t most_windows = 1 << 12;  // whose counters fit a CTA
  if (step.windows < 1 || step.windows > most_windows) {
    throw std::invalid_argument("cub_partition: 1 to 4096 windows");
  }
  // In this order: the sort may use the places as its buffer.
  if (temporary.data != nullptr) {
    const auto counters = static_cast<std::size_t>(step.windows) + 1;
    AGPUSIM_CUDA_CHECK(cudaMemsetAsync(counts, 0, counters * sizeof(Count), stream));
    const auto blocks = static_cast<unsigned>(std::clamp<std::int64_t>(step.n >> 13, 1, 512));
    detail::count_windows<<<blocks, 512, counters * sizeof(unsigned), stream>>>(step, in.places,
                                                                                counts);
    AGPUSIM_CUDA_CHECK(cudaGetLastError());
  }
  const int bits = std::bit_width(static_cast<std::uint32_t>(step.windows - 1));
  cub::DoubleBuffer<Key> places(reinterpret_cast<Key*>(in.places),
                                reinterpret_cast<Key*>(out.places));
  cub::DoubleBuffer<T> values(in.values, out.values);
  AGPUSIM_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(temporary.data, temporary.bytes, places,
                                                     values, step.n, step.shift, step.shift + bits,
                                                     stream));
  if (temporary.data == nullptr) return;
  detail::collect(places, reinterpret_cast<Key*>(out.places), step.n, stream);
  detail::collect(values, out.values, step.n, stream);
}

}  // namespace agpusim::out_of_core
