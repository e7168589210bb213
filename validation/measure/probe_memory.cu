// Device memory and L2 cache.
#include <algorithm>
#include <cstdint>

#include "agpusim/validation/measure/probe.cuh"

namespace agpusim {
namespace {

constexpr int threads = 512;
constexpr int loads = 8;  // loads of 16 bytes in flight per thread
constexpr std::size_t chunk_bytes = std::size_t{threads} * loads * sizeof(uint4);
constexpr std::size_t largest_array = std::size_t{4} << 30;
constexpr std::size_t node_bytes = 128;  // a cache line for every step of a random walk

/// Content with as many bit changes as real data: zeros take less power, and run faster.
__global__ void fill(std::uint32_t* words, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const auto x = static_cast<std::uint32_t>(i) * 2654435769U;
    words[i] = (x ^ (x >> 15)) * 2246822519U;
  }
}

__device__ std::uint32_t fold(const uint4& value) { return value.x ^ value.y ^ value.z ^ value.w; }

/// Reads `items` chunks of an array of `chunks` chunks, again from the start when it is at the end.
__global__ void __launch_bounds__(threads)
    read_chunks(const uint4* array, unsigned chunks, unsigned items, std::uint32_t* never) {
  std::uint32_t sum = 0;
  for (unsigned item = blockIdx.x; item < items; item += gridDim.x) {
    const uint4* const chunk = array + std::size_t{item % chunks} * (threads * loads) + threadIdx.x;
    uint4 value[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i) value[i] = __ldcg(chunk + i * threads);
#pragma unroll
    for (int i = 0; i < loads; ++i) sum ^= fold(value[i]);
  }
  if (sum == 0x9e3779b9U) *never = sum;
}

struct Node {
  std::uint64_t next;  // address
};

/// A full cycle through `nodes` (a power of two) lines in an order that no prefetcher follows: the
/// generator x -> a·x + c with a mod 4 = 1 and c odd has full period (Hull and Dobell 1962).
__global__ void link_nodes(char* base, std::uint64_t nodes) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < nodes;
       i += step) {
    const std::uint64_t next = (i * 1664525U + 1013904223U) % nodes;
    reinterpret_cast<Node*>(base + i * node_bytes)->next =
        reinterpret_cast<std::uint64_t>(base + next * node_bytes);
  }
}

/// Goes on from the node where the last walk ended.
__global__ void walk(int steps, std::uint64_t* here) {
  std::uint64_t address = *here;
  for (int i = 0; i < steps; ++i) {
    asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(address));
  }
  *here = address;
}

void fill_with_noise(const DeviceBuffer& buffer) {
  fill<<<1024, threads, 0, cuda_stream()>>>(static_cast<std::uint32_t*>(buffer.data()),
                                            buffer.bytes() / sizeof(std::uint32_t));
  AGPUSIM_CUDA_CHECK(cudaGetLastError());
}

std::size_t array_bytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  require_cuda_device();
  AGPUSIM_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  return std::min(largest_array, free / 4 / chunk_bytes * chunk_bytes);
}

/// GB/s when `enqueue()` moves `bytes`.
template <class Enqueue>
double bandwidth(double bytes, Enqueue enqueue) {
  return median_of_repeats([&] { return bytes / (1e3 * device_microseconds(enqueue)); });
}

/// Nanoseconds of one load of a random walk through `bytes` (a power of two).
double load_latency(std::size_t bytes, bool flushed) {
  constexpr int steps = 20000;
  const DeviceBuffer nodes(bytes, "calibration walk");
  DeviceBuffer here(sizeof(std::uint64_t), "calibration result");
  link_nodes<<<1024, threads, 0, cuda_stream()>>>(static_cast<char*>(nodes.data()),
                                                  bytes / node_bytes);
  const auto first = reinterpret_cast<std::uint64_t>(nodes.data());
  here.upload(&first, cuda_stream());
  L2Flush flush;
  return median_of_repeats([&] {
    if (flushed) flush.enqueue();
    return 1e3 / steps * device_microseconds([&] {
             walk<<<1, 1, 0, cuda_stream()>>>(steps, static_cast<std::uint64_t*>(here.data()));
           });
  });
}

/// GB/s when a kernel of `ctas` CTAs reads `items` chunks of an array of `bytes`.
double read_bandwidth(std::size_t bytes, unsigned items, unsigned ctas) {
  const DeviceBuffer from(bytes, "calibration array");
  const DeviceBuffer never(sizeof(std::uint32_t), "calibration result");
  fill_with_noise(from);
  return bandwidth(static_cast<double>(items) * static_cast<double>(chunk_bytes), [&] {
    read_chunks<<<ctas, threads, 0, cuda_stream()>>>(
        static_cast<const uint4*>(from.data()), static_cast<unsigned>(bytes / chunk_bytes), items,
        static_cast<std::uint32_t*>(never.data()));
  });
}

}  // namespace

double probe_bandwidth_copy() {
  const std::size_t bytes = array_bytes();
  const DeviceBuffer from(bytes, "calibration source");
  const DeviceBuffer to(bytes, "calibration target");
  fill_with_noise(from);
  return bandwidth(2 * static_cast<double>(bytes), [&] {
    AGPUSIM_CUDA_CHECK(
        cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, cuda_stream()));
  });
}

double probe_bandwidth_write() {
  const std::size_t bytes = array_bytes();
  const DeviceBuffer to(bytes, "calibration target");
  return bandwidth(static_cast<double>(bytes), [&] {
    AGPUSIM_CUDA_CHECK(cudaMemsetAsync(to.data(), 1, bytes, cuda_stream()));
  });
}

double probe_bandwidth_read() {
  const std::size_t bytes = array_bytes();
  const auto chunks = static_cast<unsigned>(bytes / chunk_bytes);
  return read_bandwidth(bytes, chunks, chunks);
}

double probe_resident_read(std::size_t bytes) {
  constexpr auto items = static_cast<unsigned>((std::size_t{4} << 30) / chunk_bytes);
  constexpr int ctas_per_multiprocessor = 4;  // 64 warps
  return read_bandwidth(bytes, items,
                        static_cast<unsigned>(probe_multiprocessors() * ctas_per_multiprocessor));
}

double probe_memory_latency() { return load_latency(std::size_t{1} << 30, true); }

double probe_l2_latency() { return load_latency(std::size_t{4} << 20, false); }

}  // namespace agpusim
