#include <cstdint>

#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/cuda/timing.cuh"

namespace agpusim {
namespace {

std::size_t l2_bytes() {
  require_cuda_device();
  int bytes = 0;
  AGPUSIM_CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0));
  return static_cast<std::size_t>(bytes);
}

// The result depends on every word, so that no read is left out; it is stored for no real content.
__global__ void read_all(const std::uint32_t* words, std::size_t count, std::uint32_t* never) {
  std::uint32_t sum = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    sum |= words[i] ^ 0x5a5a5a5aU;
  }
  if (sum != 0) *never = sum;
}

__global__ void wait(std::uint64_t nanoseconds) {
  std::uint64_t begin;
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

}  // namespace

Stopwatch::Stopwatch() {
  require_cuda_device();
  AGPUSIM_CUDA_CHECK(cudaEventCreate(&start_));
  AGPUSIM_CUDA_CHECK(cudaEventCreate(&stop_));
}

Stopwatch::~Stopwatch() {
  static_cast<void>(cudaEventDestroy(start_));
  static_cast<void>(cudaEventDestroy(stop_));
}

void Stopwatch::start() { AGPUSIM_CUDA_CHECK(cudaEventRecord(start_, cuda_stream())); }

void Stopwatch::stop() { AGPUSIM_CUDA_CHECK(cudaEventRecord(stop_, cuda_stream())); }

double Stopwatch::microseconds() {
  AGPUSIM_CUDA_CHECK(cudaEventSynchronize(stop_));
  float milliseconds = 0;
  AGPUSIM_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start_, stop_));
  return 1e3 * static_cast<double>(milliseconds);
}

L2Flush::L2Flush() : half_(2 * l2_bytes()), buffer_(2 * half_, "L2 flush") {
  AGPUSIM_CUDA_CHECK(cudaMemsetAsync(buffer_.data(), 0x5a, 2 * half_, cuda_stream()));
}

void L2Flush::enqueue() {
  const int pattern = static_cast<int>(++round_ % 256);
  AGPUSIM_CUDA_CHECK(cudaMemsetAsync(buffer_.data(), pattern, half_, cuda_stream()));
  auto* const words = static_cast<std::uint32_t*>(buffer_.data());
  const std::size_t count = half_ / sizeof(std::uint32_t);
  read_all<<<1024, 512, 0, cuda_stream()>>>(words + count, count, words);
  AGPUSIM_CUDA_CHECK(cudaGetLastError());
}

void enqueue_wait(double microseconds) {
  wait<<<1, 1, 0, cuda_stream()>>>(static_cast<std::uint64_t>(1e3 * microseconds));
  AGPUSIM_CUDA_CHECK(cudaGetLastError());
}

}  // namespace agpusim
