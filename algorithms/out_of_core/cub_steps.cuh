#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

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

namespace detail {

/// flags[i] = 1 where heads[i] is not 0.
template <class Flag>
__global__ void __launch_bounds__(256)
    flag_heads(const std::uint32_t* __restrict__ heads, Flag* flags, std::int64_t n) {
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) {
    flags[i] = heads[i] != 0 ? 1 : 0;
  }
}

}  // namespace detail

/// Sorts every segment of in[0..n-1] to out[0..n-1]: by the keys, then, stably, by the number of
/// heads up to them. `in` holds nothing of value afterwards.
template <class T>
void cub_segmented_sort(TemporaryMemory& temporary, T* in, const std::uint32_t* heads, T* out,
                        std::int64_t n, cudaStream_t stream) {
  static_assert(std::is_arithmetic_v<T>, "segmented sort on CUDA: keys of an arithmetic type");
  using Segment = std::uint32_t;
  constexpr std::size_t alignment = 256;
  const std::size_t of_segments =
      (static_cast<std::size_t>(n) * sizeof(Segment) + alignment - 1) / alignment * alignment;
  const bool only_asks = temporary.data == nullptr;
  auto* const bytes = static_cast<std::byte*>(temporary.data);
  auto* const flags = reinterpret_cast<Segment*>(bytes);
  auto* const numbers = only_asks ? nullptr : reinterpret_cast<Segment*>(bytes + of_segments);
  void* const rest = only_asks ? nullptr : bytes + 2 * of_segments;
  std::size_t most = 0;
  const auto call = [&](auto library) {
    std::size_t needed = only_asks ? 0 : temporary.bytes - 2 * of_segments;
    AGPUSIM_CUDA_CHECK(library(rest, needed));
    most = std::max(most, needed);
  };
  if (!only_asks && n > 0) {
    const auto blocks = static_cast<unsigned>(std::clamp<std::int64_t>(n >> 10, 1, 1024));
    detail::flag_heads<<<blocks, 256, 0, stream>>>(heads, flags, n);
    AGPUSIM_CUDA_CHECK(cudaGetLastError());
  }
  call([&](void* memory, std::size_t& size) {
    return cub::DeviceScan::InclusiveSum(memory, size, flags, numbers, n, stream);
  });
  cub::DoubleBuffer<T> keys(in, out);
  cub::DoubleBuffer<Segment> segments(numbers, flags);
  call([&](void* memory, std::size_t& size) {
    return cub::DeviceRadixSort::SortPairs(memory, size, keys, segments, n, 0,
                                           static_cast<int>(8 * sizeof(T)), stream);
  });
  call([&](void* memory, std::size_t& size) {
    return cub::DeviceRadixSort::SortPairs(memory, size, segments, keys, n, 0,
                                           static_cast<int>(8 * sizeof(Segment)), stream);
  });
  if (only_asks) {
    temporary.bytes = 2 * of_segments + most;
  } else {
    detail::collect(keys, out, n, stream);
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
