#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "agpusim/papers/integer_sorts/bench_keys.hpp"
#include "agpusim/validation/measure/probe.cuh"

// What the benchmarks of the integer sorts share: their keys, and the time of a sort.
namespace agpusim::bench {

/// Threads of the kernels below.
inline constexpr int ctas = 1056;
inline constexpr int threads = 256;

template <class T>
__global__ void count_differences(const T* a, const T* b, std::int64_t n,
                                  unsigned long long* count) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    if (a[i] != b[i]) atomicAdd(count, 1ULL);
  }
}

/// Median of the microseconds of enqueue(1), enqueue(2), ..., after enqueue(0), which does not
/// count: 21 of them, or 7 where n is large.
template <class Enqueue>
[[nodiscard]] double median_microseconds(std::int64_t n, Enqueue enqueue) {
  const std::int64_t runs = n >= std::int64_t{1} << 26 ? 7 : 21;
  std::vector<double> times;
  for (std::int64_t i = 0; i <= runs; ++i) {
    constexpr double lead = 100;
    const double us = device_microseconds([&] { enqueue(i); }, lead);
    if (i > 0) times.push_back(us);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace agpusim::bench
