#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/validation/calibrate/probe.cuh"

// What the benchmarks of the integer sorts share: keys made on the device, and the time of a sort.
namespace agpusim::bench {

/// Threads of the kernels below.
inline constexpr int ctas = 1056;
inline constexpr int threads = 256;

/// Kinds of keys below `range` that every sort is given.
enum Kind : int { uniform, zipf, equal, sorted, common_kinds };

/// Random bits of element `i`.
__device__ inline std::uint64_t random_of(std::uint64_t i) {
  return mix64(i + 0x9e3779b97f4a7c15U);
}

/// Key `i` of n keys of one of the common kinds; `random` are its bits.
__device__ inline std::uint64_t common_key(int kind, std::uint64_t random, std::int64_t i,
                                           std::int64_t n, std::uint64_t range) {
  if (kind == zipf) {  // density 1/x, frequent values all over the range
    const double u = static_cast<double>(random >> 11) * 0x1p-53;
    const auto rank = static_cast<std::uint64_t>(pow(static_cast<double>(range) + 1, u)) - 1;
    return min(rank, range - 1) * 2654435761U % range;
  }
  if (kind == equal) return range / 3;
  if (kind == sorted) return static_cast<std::uint64_t>(i) * range / static_cast<std::uint64_t>(n);
  return __umul64hi(random, range);
}

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
