#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <cub/device/device_scan.cuh>

#include "agpusim/algorithms/integer_sorts/seed_hp_sorts/kernels.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"

// The subroutines of algorithm 1 of seed 000 as its section 5 implements them, and algorithm 2.
namespace agpusim::seed_hp_sorts {

/// Launches of cta_threads threads per CTA, at least `threads` in all.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), std::int64_t threads, Arguments... arguments) {
  kernel<<<ctas(threads), cta_threads, 0, cuda_stream()>>>(arguments...);
  AGPUSIM_CUDA_CHECK(cudaGetLastError());
}

inline void clear(int* from, std::int64_t count) {
  AGPUSIM_CUDA_CHECK(
      cudaMemsetAsync(from, 0, static_cast<std::size_t>(count) * sizeof(int), cuda_stream()));
}

/// hist[0..bins) = how often each value of data[0..count) - min occurs.
inline void histogram(const int* data, int* hist, int count, int min, std::int64_t bins) {
  clear(hist, bins);
  launch(inc_cnt, count, count, data, hist, min);
}

/// What a scan needs beside its arrays.
struct Scan {
  void* temporary = nullptr;
  std::size_t bytes = 0;
};

/// The bytes of scans of up to so many elements.
inline std::size_t scan_bytes(int count, int other) {
  std::size_t most = 0;
  for (const int elements : {count, other}) {
    std::size_t bytes = 0;
    int* const none = nullptr;
    AGPUSIM_CUDA_CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, none, none, elements));
    most = std::max(most, bytes);
  }
  return most;
}

/// sums[0..count) = inclusive prefix sums of data[0..count) plus `init`; changes data[0].
inline void prefix_sums(Scan scan, int* data, int* sums, int count, int init) {
  add_init<<<1, 1, 0, cuda_stream()>>>(data, init);
  AGPUSIM_CUDA_CHECK(cudaGetLastError());
  AGPUSIM_CUDA_CHECK(
      cub::DeviceScan::InclusiveSum(scan.temporary, scan.bytes, data, sums, count, cuda_stream()));
}

/// The arrays of algorithm 2.
struct HpArrays {
  int* a = nullptr;   ///< [range] occurrences of each value
  int* ap = nullptr;  ///< [range] prefix sums of a
  int* b = nullptr;   ///< [n + 1] how often each value is in ap
};

/// Algorithm 2: y = the n keys x, min <= key < min + range, in order.
inline void hp_sort(Scan scan, const HpArrays& arrays, const int* x, int* y, int n, int min,
                    int range) {
  histogram(x, arrays.a, n, min, range);
  prefix_sums(scan, arrays.a, arrays.ap, range, 0);
  histogram(arrays.ap, arrays.b, range, 0, std::int64_t{n} + 1);
  prefix_sums(scan, arrays.b, y, n, min);
}

}  // namespace agpusim::seed_hp_sorts
