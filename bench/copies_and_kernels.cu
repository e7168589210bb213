#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include "agpusim/algorithms/out_of_core/scatter_window.cuh"
#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/own_stream.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/cuda/streams/pinned_memory.cuh"

// What kernels cost the copies beside them. First: chunks are copied in and a kernel that does
// nothing waits for each, with a CUDA stream per buffer or per engine. Then: values and 32-bit
// places are copied in and scattered to random places among 10^9 by so many blocks.
namespace {

using namespace agpusim;
using namespace agpusim::out_of_core;

constexpr std::size_t buffers = 3;
constexpr std::int64_t total = 1'000'000'000;
constexpr std::int64_t most_bytes = std::int64_t{1} << 27;
constexpr std::int64_t all_bytes = std::int64_t{1} << 31;

__global__ void nothing() {}

struct OwnEvent {
  cudaEvent_t event = nullptr;
  OwnEvent() { AGPUSIM_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming)); }
  ~OwnEvent() { static_cast<void>(cudaEventDestroy(event)); }
  OwnEvent(const OwnEvent&) = delete;
  OwnEvent& operator=(const OwnEvent&) = delete;
};

/// Best of 5, in seconds.
double seconds(const std::function<void()>& work) {
  double best = 1e9;
  for (int repeat = 0; repeat < 5; ++repeat) {
    AGPUSIM_CUDA_CHECK(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    work();
    AGPUSIM_CUDA_CHECK(cudaDeviceSynchronize());
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    best = std::min(best, spent.count());
  }
  return best;
}

class Bench {
 public:
  Bench() {
    std::uint64_t x = 88172645463325252U;  // xorshift64 of Marsaglia
    auto* const places = static_cast<std::int32_t*>(host_.data());
    for (std::int64_t i = 0; i < most_bytes / 4; ++i) {
      x ^= x << 13U;
      x ^= x >> 7U;
      x ^= x << 17U;
      places[i] = static_cast<std::int32_t>(x % total);
    }
    for (auto& buffer : device_) {
      buffer = std::make_unique<DeviceBuffer>(2 * most_bytes, "chunk");
      AGPUSIM_CUDA_CHECK(cudaMemcpy(buffer->data(), places, most_bytes, cudaMemcpyHostToDevice));
    }
  }

  /// Chunks one after the other to buffers in turn, with a CUDA stream for each buffer.
  void in_streams_of_buffers(std::int64_t bytes, bool kernels) {
    for (std::int64_t j = 0; j < all_bytes / bytes; ++j) {
      const auto b = static_cast<std::size_t>(j) % buffers;
      copy_in(b, 0, bytes, of_buffer_[b].get());
      if (kernels) nothing<<<1, 32, 0, of_buffer_[b].get()>>>();
    }
  }

  /// Copies and kernels with a CUDA stream for each kind, and events between them.
  void in_streams_of_engines(std::int64_t bytes) {
    for (std::int64_t j = 0; j < all_bytes / bytes; ++j) {
      const auto b = static_cast<std::size_t>(j) % buffers;
      chunk_by_engine(
          j, [&] { copy_in(b, 0, bytes, copies_.get()); },
          [&] { nothing<<<1, 32, 0, kernels_.get()>>>(); });
    }
  }

  void scatter(std::int64_t n, bool copies, unsigned blocks) {
    for (std::int64_t j = 0; j < all_bytes / (8 * n); ++j) {
      const auto b = static_cast<std::size_t>(j) % buffers;
      std::byte* const places = static_cast<std::byte*>(device_[b]->data());
      const std::byte* const values = places + most_bytes;
      chunk_by_engine(
          j,
          [&] {
            if (!copies) return;
            copy_in(b, 0, 4 * n, copies_.get());
            copy_in(b, most_bytes, 8 * n, copies_.get());
          },
          [&] {
            if (blocks == 0) return;
            scatter_window<<<blocks, 256, 0, kernels_.get()>>>(
                ScatterStep<double>{n, 0, total, total},
                reinterpret_cast<const std::int32_t*>(places),
                reinterpret_cast<const double*>(values), static_cast<double*>(window_.data()),
                static_cast<int*>(bad_.data()));
          });
    }
  }

 private:
  /// The kernel waits for the copy, and the copy for the kernel that used its buffer before.
  template <class Copy, class Kernel>
  void chunk_by_engine(std::int64_t j, Copy copy, Kernel kernel) {
    const cudaEvent_t used = used_[static_cast<std::size_t>(j) % buffers].event;
    if (j >= std::int64_t{buffers}) {
      AGPUSIM_CUDA_CHECK(cudaStreamWaitEvent(copies_.get(), used, 0));
    }
    copy();
    AGPUSIM_CUDA_CHECK(cudaEventRecord(copied_.event, copies_.get()));
    AGPUSIM_CUDA_CHECK(cudaStreamWaitEvent(kernels_.get(), copied_.event, 0));
    kernel();
    AGPUSIM_CUDA_CHECK(cudaGetLastError());
    AGPUSIM_CUDA_CHECK(cudaEventRecord(used, kernels_.get()));
  }

  void copy_in(std::size_t buffer, std::int64_t at, std::int64_t bytes, cudaStream_t stream) {
    AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(static_cast<std::byte*>(device_[buffer]->data()) + at,
                                       host_.data(), static_cast<std::size_t>(bytes),
                                       cudaMemcpyHostToDevice, stream));
  }

  PinnedMemory host_{most_bytes, "host"};
  DeviceBuffer window_{total * 8, "window"};
  DeviceBuffer bad_{4, "bad"};
  std::array<std::unique_ptr<DeviceBuffer>, buffers> device_;
  std::array<OwnStream, buffers> of_buffer_;
  OwnStream copies_;
  OwnStream kernels_;
  OwnEvent copied_;
  std::array<OwnEvent, buffers> used_;  // by a kernel
};

}  // namespace

int main() {
  require_cuda_device();
  Bench bench;
  fmt::print("GB/s of copies in\n{:>10} {:>12} {:>24} {:>24}\n", "chunk", "no kernel",
             "a stream per buffer", "a stream per engine");
  for (std::int64_t bytes = std::int64_t{1} << 20; bytes <= most_bytes; bytes *= 2) {
    const auto rate = [](double time) { return static_cast<double>(all_bytes) / 1e9 / time; };
    fmt::print("{:7} kiB {:12.1f} {:24.1f} {:24.1f}\n", bytes >> 10,
               rate(seconds([&] { bench.in_streams_of_buffers(bytes, false); })),
               rate(seconds([&] { bench.in_streams_of_buffers(bytes, true); })),
               rate(seconds([&] { bench.in_streams_of_engines(bytes); })));
  }
  constexpr std::int64_t n = std::int64_t{1} << 21;
  constexpr double giga_elements = static_cast<double>(all_bytes / (8 * n) * n) / 1e9;
  const double copies = seconds([&] { bench.scatter(n, true, 0); });
  fmt::print("scatter of 2^21 elements; copies alone: {:.2f} Gelements/s\n",
             giga_elements / copies);
  for (const unsigned blocks : {8U, 12U, 16U, 24U, 33U, 66U, 132U, 264U, 4096U}) {
    const double alone = seconds([&] { bench.scatter(n, false, blocks); });
    const double both = seconds([&] { bench.scatter(n, true, blocks); });
    fmt::print(
        "{:5} blocks: scatter alone {:.2f}, with copies {:.2f} Gelements/s; copies lose {:.0f} % "
        "of the scatter's time\n",
        blocks, giga_elements / alone, giga_elements / both, 100 * (both - copies) / alone);
  }
}
