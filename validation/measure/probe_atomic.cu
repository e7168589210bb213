#include <cstdint>

#include "agpusim/cuda/buffer.cuh"
#include "agpusim/validation/measure/probe.cuh"

namespace agpusim {
namespace {

constexpr int threads = 1024;
constexpr int ctas_per_multiprocessor = 2;
constexpr int unroll = 4;

/// Every lane adds 1 to words at pseudo-random places of `words` (a power of two), whose results
/// nobody reads.
__global__ void __launch_bounds__(threads)
    add_scattered(int iterations, std::uint32_t* memory, std::uint32_t words) {
  std::uint32_t state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761U + 12345U;
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int j = 0; j < unroll; ++j) {
      state = state * 1664525U + 1013904223U;
      // The high bits of a linear congruential generator are its random ones.
      const auto place = static_cast<std::uint32_t>((std::uint64_t{state} * words) >> 32);
      atomicAdd(memory + place, 1U);
    }
  }
}

}  // namespace

double probe_atomic_rate(std::size_t bytes) {
  const DeviceBuffer memory(bytes, "calibration memory");
  auto* const words = static_cast<std::uint32_t*>(memory.data());
  AGPUSIM_CUDA_CHECK(cudaMemsetAsync(words, 0, bytes, cuda_stream()));
  const int grid = ctas_per_multiprocessor * probe_multiprocessors();
  // About a millisecond at the slowest rate, one word, and at the fastest.
  const int iterations = bytes < 4096 ? 2 : bytes < 65536 ? 32 : 128;
  const double microseconds = median_of_repeats([&] {
    return device_microseconds([&] {
      add_scattered<<<static_cast<unsigned>(grid), threads, 0, cuda_stream()>>>(
          iterations, words, static_cast<std::uint32_t>(bytes / sizeof(std::uint32_t)));
    });
  });
  return double{unroll} * iterations * grid * threads / (microseconds * 1e3);
}

}  // namespace agpusim
