// Latencies of a lone warp and of launches.
#include <cstdint>

#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/launch.cuh"
#include "agpusim/validation/measure/probe.cuh"

namespace agpusim {
namespace {

constexpr int chain_length = 16;  // unrolled
constexpr int iterations = 2000;

struct Chain {
  std::int64_t cycles;
  std::uint32_t value;
};

__global__ void alu_chain(Chain* result) {
  std::uint32_t x = threadIdx.x;
  std::uint32_t y = 3 * x + 1;
  const std::int64_t begin = clock64();
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int u = 0; u < chain_length / 4; ++u) {
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(x) : "r"(y));
      asm volatile("max.u32 %0, %0, %1;" : "+r"(y) : "r"(x));
      asm volatile("add.u32 %0, %0, %1;" : "+r"(x) : "r"(y));
      asm volatile("min.u32 %0, %0, %1;" : "+r"(y) : "r"(x));
    }
  }
  const std::int64_t end = clock64();
  *result = {end - begin, x ^ y};
}

/// Cycles per instruction of the chain that `enqueue(result)` runs on one warp.
template <class Enqueue>
double cycles_per_instruction(Enqueue enqueue) {
  const DeviceBuffer result(sizeof(Chain), "calibration result");
  return median_of_repeats([&] {
    enqueue(static_cast<Chain*>(result.data()));
    AGPUSIM_CUDA_CHECK(cudaGetLastError());
    Chain chain{};
    result.download(&chain, cuda_stream());
    return static_cast<double>(chain.cycles) / (double{iterations} * chain_length);
  });
}

__global__ void nothing() {}

/// Every thread reads the word that it wrote in the kernel before.
__global__ void pass_on(std::uint32_t* words) {
  wait_for_kernels_before();
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  words[thread] = 2 * words[thread] + 1;
}

/// Microseconds of `count` kernels that `launch()` launches.
template <class Launch>
double launches_microseconds(int count, Launch launch) {
  return device_microseconds(
      [&] {
        for (int i = 0; i < count; ++i) launch();
      },
      100 + 10 * count);
}

}  // namespace

double probe_alu_latency() {
  return cycles_per_instruction(
      [](Chain* result) { alu_chain<<<1, 32, 0, cuda_stream()>>>(result); });
}

double probe_launch() {
  constexpr int count = 400;  // the queue of a stream holds about 1000
  constexpr unsigned threads = 256;
  const auto ctas = 8 * static_cast<unsigned>(probe_multiprocessors());
  const DeviceBuffer words(std::size_t{ctas} * threads * sizeof(std::uint32_t),
                           "calibration memory");
  const auto launch = [&] {
    launch_behind(pass_on, ctas, threads, 0, static_cast<std::uint32_t*>(words.data()));
  };
  return median_of_repeats([&] {
    return (launches_microseconds(count + 1, launch) - launches_microseconds(1, launch)) / count;
  });
}

double probe_launch_latency() {
  return median_of_repeats(
      [] { return launches_microseconds(1, [] { nothing<<<1, 32, 0, cuda_stream()>>>(); }); });
}

}  // namespace agpusim
