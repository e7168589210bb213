#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/cuda/streams/pinned_memory.cuh"
#include "agpusim/model/transfer/host_parallel.hpp"

// What copies to the device lose by what happened before them: device memory that was freed, host
// memory that the cores have just written.
namespace {

using namespace agpusim;
using namespace agpusim::out_of_core;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// GB/s of copies of 1 GiB, four in turn.
double copy_rate(const DeviceBuffer& device, const PinnedMemory& host) {
  constexpr int copies = 4;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < copies; ++i) {
    AGPUSIM_CUDA_CHECK(cudaMemcpy(device.data(), host.data(),
                                  static_cast<std::size_t>(host.bytes()), cudaMemcpyHostToDevice));
  }
  return static_cast<double>(copies * host.bytes()) / 1e9 / seconds_since(begin);
}

void after_freed_memory() {
  constexpr std::size_t giga = std::size_t{1} << 30;
  const DeviceBuffer device(giga, "target");
  const PinnedMemory host(giga, "source");
  for (const std::size_t freed :
       {std::size_t{1}, std::size_t{8}, std::size_t{32}, std::size_t{96}}) {
    auto buffer = std::make_unique<DeviceBuffer>(freed * giga, "freed");
    AGPUSIM_CUDA_CHECK(cudaMemset(buffer->data(), 1, freed * giga));
    AGPUSIM_CUDA_CHECK(cudaDeviceSynchronize());
    buffer = nullptr;
    const double at_once = copy_rate(device, host);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    fmt::print("{:3} GiB freed: copies of 4 GiB at once {:.1f} GB/s, a second later {:.1f} GB/s\n",
               freed, at_once, copy_rate(device, host));
  }
}

void after_stores() {
  constexpr std::int64_t n = std::int64_t{1} << 21;
  constexpr int rounds = 100;
  std::vector<std::int64_t> places(n);
  std::iota(places.begin(), places.end(), 0);
  const PinnedMemory host(n * 4, "compact");
  const std::span<std::int32_t> compact(static_cast<std::int32_t*>(host.data()), n);
  const DeviceBuffer device(n * 4, "target");
  for (const bool past : {false, true}) {
    double copying = 0;
    for (int i = 0; i < rounds; ++i) {
      if (past) {
        static_cast<void>(compact_places(places, compact, n));
      } else {
        for_ranges(n, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t k = begin; k < end; ++k) {
            compact[static_cast<std::size_t>(k)] =
                static_cast<std::int32_t>(places[static_cast<std::size_t>(k)]);
          }
        });
      }
      const auto begin = std::chrono::steady_clock::now();
      AGPUSIM_CUDA_CHECK(cudaMemcpy(device.data(), host.data(), n * 4, cudaMemcpyHostToDevice));
      copying += seconds_since(begin);
    }
    fmt::print("8 MiB that the cores have just written {} their caches: {:.1f} GB/s\n",
               past ? "past" : "through", rounds * n * 4 / 1e9 / copying);
  }
}

}  // namespace

int main() {
  require_cuda_device();
  after_freed_memory();
  after_stores();
}
