#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>

#include "agpusim/algorithms/out_of_core/host_parallel.hpp"
#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/out_of_core/cub_steps.cuh"
#include "agpusim/cuda/out_of_core/pinned_memory.cuh"
#include "agpusim/cuda/out_of_core/scatter_window.cuh"
#include "agpusim/cuda/out_of_core/staging.cuh"
#include "agpusim/validation/cuda/probe.cuh"
#include "agpusim/validation/out_of_core/link_measure.cuh"

namespace agpusim::out_of_core {
namespace {

constexpr std::int64_t copy_bytes = std::int64_t{1} << 28;
constexpr double giga = 1e9;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Seconds of the host from the call of `work` until the device is done, too.
template <class Work>
double host_seconds(Work work) {
  AGPUSIM_CUDA_CHECK(cudaDeviceSynchronize());
  const auto begin = std::chrono::steady_clock::now();
  work();
  AGPUSIM_CUDA_CHECK(cudaDeviceSynchronize());
  return seconds_since(begin);
}

void enqueue_copy(void* to, const void* from, std::int64_t bytes, cudaMemcpyKind kind,
                  cudaStream_t stream) {
  AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), kind, stream));
}

/// The finaliser of splitmix64: every i gives another value without visible order.
__device__ std::uint64_t scrambled(std::uint64_t i) {
  i = (i + 1) * 0x9e3779b97f4a7c15U;
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9U;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebU;
  return i ^ (i >> 31);
}

/// Random values of 0..range-1, range a power of two.
template <class T>
__global__ void fill_random(T* values, std::int64_t n, std::uint64_t range) {
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) {
    values[i] = static_cast<T>(scrambled(static_cast<std::uint64_t>(i)) & (range - 1));
  }
}

/// An array in device memory.
template <class T>
class Values {
 public:
  Values(std::int64_t n, const char* name)
      : n_(n), buffer_(static_cast<std::size_t>(n) * sizeof(T), name) {}

  [[nodiscard]] T* data() const { return static_cast<T*>(buffer_.data()); }
  void randomize(std::uint64_t range) const {
    fill_random<<<1024, 256, 0, cuda_stream()>>>(data(), n_, range);
    AGPUSIM_CUDA_CHECK(cudaGetLastError());
  }

 private:
  std::int64_t n_;
  DeviceBuffer buffer_;
};

/// Two streams beside each other.
class TwoStreams {
 public:
  TwoStreams() {
    for (cudaStream_t& stream : streams_) {
      AGPUSIM_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
  }
  ~TwoStreams() {
    for (const cudaStream_t stream : streams_) static_cast<void>(cudaStreamDestroy(stream));
  }
  TwoStreams(const TwoStreams&) = delete;
  TwoStreams& operator=(const TwoStreams&) = delete;
  [[nodiscard]] cudaStream_t operator[](std::size_t i) const { return streams_[i]; }

 private:
  cudaStream_t streams_[2] = {};
};

/// Microseconds of a copy of a few bytes, without the time of its bytes.
double small_copy_latency(void* device, void* host, cudaMemcpyKind kind, double gbps) {
  constexpr std::int64_t bytes = std::int64_t{1} << 12;
  constexpr int copies = 200;
  constexpr double lead = 2000;  // microseconds in which the host enqueues them
  const bool in = kind == cudaMemcpyHostToDevice;
  const double microseconds = median_of_repeats([&] {
    return device_microseconds(
        [&] {
          for (int i = 0; i < copies; ++i) {
            enqueue_copy(in ? device : host, in ? host : device, bytes, kind, cuda_stream());
          }
        },
        lead);
  });
  return microseconds / copies - static_cast<double>(bytes) / (1e3 * gbps);
}

void measure_pinned(std::vector<LinkConstant>& constants) {
  const DeviceBuffer device_in(copy_bytes, "link in");
  const DeviceBuffer device_out(copy_bytes, "link out");
  const PinnedMemory host_in(copy_bytes, "link in");
  const PinnedMemory host_out(copy_bytes, "link out");
  const auto copy_in = [&](cudaStream_t stream) {
    enqueue_copy(device_in.data(), host_in.data(), copy_bytes, cudaMemcpyHostToDevice, stream);
  };
  const auto copy_out = [&](cudaStream_t stream) {
    enqueue_copy(host_out.data(), device_out.data(), copy_bytes, cudaMemcpyDeviceToHost, stream);
  };
  const auto bytes = static_cast<double>(copy_bytes);
  const double in = bytes / (1e3 * median_of_repeats([&] {
                               return device_microseconds([&] { copy_in(cuda_stream()); });
                             }));
  const double out = bytes / (1e3 * median_of_repeats([&] {
                                return device_microseconds([&] { copy_out(cuda_stream()); });
                              }));
  constexpr int in_turn = 4;
  const TwoStreams streams;
  const double both = 2 * in_turn * bytes / giga / median_of_repeats([&] {
                        return host_seconds([&] {
                          for (int i = 0; i < in_turn; ++i) {
                            copy_in(streams[0]);
                            copy_out(streams[1]);
                          }
                        });
                      });
  const double latency =
      std::max(small_copy_latency(device_in.data(), host_in.data(), cudaMemcpyHostToDevice, in),
               small_copy_latency(device_out.data(), host_out.data(), cudaMemcpyDeviceToHost, out));
  constants.push_back({"link_in", in, "GB/s", "copy of 256 MiB from pinned memory"});
  constants.push_back({"link_out", out, "GB/s", "copy of 256 MiB to pinned memory"});
  constants.push_back({"link_both", both, "GB/s",
                       "4 copies of 256 MiB in each direction at the same time, pinned memory, "
                       "bytes of both"});
  constants.push_back({"link_latency", latency, "us",
                       "each of 200 copies of 4 KiB in one stream, pinned memory, without the time "
                       "of its bytes; the slower direction; enqueued ahead of the device"});
}

void measure_pageable(std::vector<LinkConstant>& constants) {
  const DeviceBuffer device(copy_bytes, "link");
  std::vector<std::byte> host(static_cast<std::size_t>(copy_bytes));
  Staging staging;
  const auto bytes = static_cast<double>(copy_bytes);
  const double in = bytes / giga / median_of_repeats([&] {
                      return host_seconds([&] {
                        staging.copy_in(device.data(), host.data(), copy_bytes, cuda_stream());
                      });
                    });
  const double out = bytes / giga / median_of_repeats([&] {
                       return host_seconds([&] {
                         staging.copy_out(host.data(), device.data(), copy_bytes, cuda_stream());
                         staging.drain();
                       });
                     });
  constants.push_back({"link_pageable_in", in, "GB/s",
                       "256 MiB from pageable memory by way of pinned pieces of 16 MiB that all "
                       "cores fill"});
  constants.push_back(
      {"link_pageable_out", out, "GB/s",
       "256 MiB to pageable memory by way of pinned pieces of 16 MiB that all cores "
       "empty"});
}

void measure_sort(std::vector<LinkConstant>& constants) {
  constexpr std::int64_t n = std::int64_t{1} << 25;
  const Values<double> keys(n, "keys");
  const Values<double> sorted(n, "sorted keys");
  TemporaryMemory memory;
  cub_sort(memory, keys.data(), sorted.data(), n, cuda_stream());
  const DeviceBuffer temporary(memory.bytes, "temporary");
  memory.data = temporary.data();
  const double rate = static_cast<double>(n) / 1e3 / median_of_repeats([&] {
                        keys.randomize(std::uint64_t{1} << 52);
                        return device_microseconds([&] {
                          cub_sort(memory, keys.data(), sorted.data(), n, cuda_stream());
                        });
                      });
  constants.push_back({"cub_sort_rate_8", rate, "keys/ns",
                       "cub::DeviceRadixSort of 2^25 random f64 keys, from one array to another"});
}

void measure_partition(std::vector<LinkConstant>& constants) {
  constexpr std::int64_t total = std::int64_t{1} << 28;
  const PartitionStep<double> step{std::int64_t{1} << 24, 24, 16, total};
  const Values<std::int64_t> places(step.n, "places");
  const Values<std::int64_t> places_out(step.n, "ordered places");
  const Values<double> values(step.n, "values");
  const Values<double> values_out(step.n, "ordered values");
  const Values<std::int64_t> counts(step.windows + 1, "counts");
  places.randomize(total);
  values.randomize(total);
  const PartitionPairs<double> in{places.data(), values.data()};
  const PartitionPairs<double> out{places_out.data(), values_out.data()};
  TemporaryMemory memory;
  cub_partition(memory, step, in, out, counts.data(), cuda_stream());
  const DeviceBuffer temporary(memory.bytes, "temporary");
  memory.data = temporary.data();
  const double rate = static_cast<double>(step.n) / 1e3 / median_of_repeats([&] {
                        return device_microseconds([&] {
                          cub_partition(memory, step, in, out, counts.data(), cuda_stream());
                        });
                      });
  constants.push_back({"cub_partition_rate_16", rate, "pairs/ns",
                       "2^24 pairs of a random 64-bit place and an f64 value by 16 windows: counts "
                       "of the windows, then cub::DeviceRadixSort by 4 bits"});
}

void measure_scatter(std::vector<LinkConstant>& constants) {
  constexpr std::int64_t n = std::int64_t{1} << 26;
  constexpr std::int64_t total = std::int64_t{1} << 28;
  const Values<std::int64_t> places(n, "places");
  const Values<double> values(n, "values");
  const Values<double> window(total, "window");
  const Values<std::int32_t> bad(1, "bad");
  places.randomize(total);
  values.randomize(total);
  const double rate = static_cast<double>(n) / 1e3 / median_of_repeats([&] {
                        return device_microseconds([&] {
                          enqueue_scatter(ScatterStep<double>{n, 0, total, total}, places.data(),
                                          values.data(), window.data(), bad.data(), cuda_stream());
                        });
                      });
  constants.push_back({"scatter_rate_8", rate, "elements/ns",
                       "2^26 f64 values to random 64-bit places among 2^28"});
}

void measure_host(std::vector<LinkConstant>& constants) {
  constexpr std::int64_t n = std::int64_t{1} << 27;
  std::vector<std::int64_t> places(static_cast<std::size_t>(n));
  std::iota(places.begin(), places.end(), 0);
  {
    std::vector<std::int32_t> compact(places.size());
    const double rate =
        static_cast<double>(n) / giga / median_of_repeats([&] {
          return host_seconds([&] { static_cast<void>(compact_places(places, compact, n)); });
        });
    constants.push_back({"host_compact_rate", rate, "elements/ns",
                         "2^27 places of 64 bits made 32 bits wide, on all cores"});
  }
  std::vector<std::int64_t> copy(places.size());
  const std::int64_t bytes = n * std::int64_t{sizeof(std::int64_t)};
  const double rate =
      2 * static_cast<double>(bytes) / giga / median_of_repeats([&] {
        return host_seconds([&] { copy_on_host(copy.data(), places.data(), bytes); });
      });
  constants.push_back({"host_copy", rate, "GB/s",
                       "copy of 1 GiB in host memory on all cores, bytes read plus written"});
}

}  // namespace

std::vector<LinkConstant> measure_link() {
  require_cuda_device();
  std::vector<LinkConstant> constants;
  measure_pinned(constants);
  measure_pageable(constants);
  measure_sort(constants);
  measure_partition(constants);
  measure_scatter(constants);
  measure_host(constants);
  return constants;
}

}  // namespace agpusim::out_of_core
