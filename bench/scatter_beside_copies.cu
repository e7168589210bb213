#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/out_of_core/pinned_memory.cuh"
#include "agpusim/cuda/out_of_core/scatter_window.cuh"
#include "agpusim/cuda/stream.cuh"

// How many multiprocessors the out-of-core scatter may use: chunks of 2^21 values and 32-bit places
// are copied in on three streams, with and without a scatter of each to random places among 10^9.
namespace {

using namespace agpusim;
using namespace agpusim::out_of_core;

constexpr std::int64_t chunk = std::int64_t{1} << 21;
constexpr std::int64_t chunks = 48;
constexpr std::int64_t total = 1'000'000'000;
constexpr std::size_t streams = 3;

class Bench {
 public:
  Bench() {
    std::uint64_t x = 88172645463325252U;  // xorshift64 of Marsaglia
    for (std::int64_t i = 0; i < chunk; ++i) {
      x ^= x << 13U;
      x ^= x >> 7U;
      x ^= x << 17U;
      static_cast<std::int32_t*>(host_places_.data())[i] = static_cast<std::int32_t>(x % total);
    }
    for (cudaStream_t& one : stream_) {
      AGPUSIM_CUDA_CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
      values_.push_back(std::make_unique<DeviceBuffer>(chunk * 8, "values"));
      places_.push_back(std::make_unique<DeviceBuffer>(chunk * 4, "places"));
      AGPUSIM_CUDA_CHECK(cudaMemcpy(places_.back()->data(), host_places_.data(), chunk * 4,
                                    cudaMemcpyHostToDevice));
    }
  }

  /// Best of 5, in seconds; `blocks` of the scatter, 0: none.
  double seconds(bool copies, unsigned blocks) {
    double best = 1e9;
    for (int repeat = 0; repeat < 5; ++repeat) {
      AGPUSIM_CUDA_CHECK(cudaDeviceSynchronize());
      const auto begin = std::chrono::steady_clock::now();
      for (std::size_t j = 0; j < chunks; ++j) enqueue(j % streams, copies, blocks);
      AGPUSIM_CUDA_CHECK(cudaDeviceSynchronize());
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
      best = std::min(best, spent.count());
    }
    return best;
  }

 private:
  void enqueue(std::size_t s, bool copies, unsigned blocks) {
    if (copies) {
      AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(values_[s]->data(), host_values_.data(), chunk * 8,
                                         cudaMemcpyHostToDevice, stream_[s]));
      AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(places_[s]->data(), host_places_.data(), chunk * 4,
                                         cudaMemcpyHostToDevice, stream_[s]));
    }
    if (blocks == 0) return;
    scatter_window<<<blocks, 256, 0, stream_[s]>>>(
        ScatterStep<double>{chunk, 0, total, total},
        static_cast<const std::int32_t*>(places_[s]->data()),
        static_cast<const double*>(values_[s]->data()), static_cast<double*>(window_.data()),
        static_cast<int*>(bad_.data()));
    AGPUSIM_CUDA_CHECK(cudaGetLastError());
  }

  PinnedMemory host_values_{chunk * 8, "values"};
  PinnedMemory host_places_{chunk * 4, "places"};
  DeviceBuffer window_{total * 8, "window"};
  DeviceBuffer bad_{4, "bad"};
  std::vector<std::unique_ptr<DeviceBuffer>> values_;
  std::vector<std::unique_ptr<DeviceBuffer>> places_;
  cudaStream_t stream_[streams] = {};
};

}  // namespace

int main() {
  require_cuda_device();
  Bench bench;
  constexpr double giga_elements = static_cast<double>(chunk * chunks) / 1e9;
  const double copies = bench.seconds(true, 0);
  fmt::print("copies alone: {:.2f} Gelements/s\n", giga_elements / copies);
  for (const unsigned blocks : {8U, 16U, 33U, 66U, 132U, 264U, 4096U}) {
    const double kernels = bench.seconds(false, blocks);
    const double both = bench.seconds(true, blocks);
    fmt::print(
        "{:5} blocks: scatter alone {:.2f}, with copies {:.2f} Gelements/s; copies lose {:.0f} % "
        "of the scatter's time\n",
        blocks, giga_elements / kernels, giga_elements / both, 100 * (both - copies) / kernels);
  }
}
