#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/own_stream.cuh"
#include "agpusim/cuda/streams/pinned_memory.cuh"
#include "agpusim/cuda/streams/staging.cuh"
#include "agpusim/model/transfer/host_parallel.hpp"
#include "agpusim/validation/measure/link_measure.cuh"
#include "agpusim/validation/measure/probe.cuh"
#include "agpusim/validation/measure/step_measure.cuh"

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
  const OwnStream stream_in;
  const OwnStream stream_out;
  const double both = 2 * in_turn * bytes / giga / median_of_repeats([&] {
                        return host_seconds([&] {
                          for (int i = 0; i < in_turn; ++i) {
                            copy_in(stream_in.get());
                            copy_out(stream_out.get());
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
  constexpr std::int64_t pageable_bytes = std::int64_t{1} << 30;
  const DeviceBuffer device(pageable_bytes, "link");
  std::vector<std::byte> host(static_cast<std::size_t>(pageable_bytes));
  Staging staging;
  const auto bytes = static_cast<double>(pageable_bytes);
  const double in = bytes / giga / median_of_repeats([&] {
                      return host_seconds([&] {
                        staging.copy_in(device.data(), host.data(), pageable_bytes, cuda_stream());
                      });
                    });
  const double out =
      bytes / giga / median_of_repeats([&] {
        return host_seconds([&] {
          staging.copy_out(host.data(), device.data(), pageable_bytes, cuda_stream());
          staging.drain();
        });
      });
  constants.push_back({"link_pageable_in", in, "GB/s",
                       "1 GiB from pageable memory by way of pinned pieces of 16 MiB that all "
                       "cores fill"});
  constants.push_back({"link_pageable_out", out, "GB/s",
                       "1 GiB to pageable memory by way of pinned pieces of 16 MiB that all cores "
                       "empty"});
}

/// The program that most needs host memory: all cores copy while the link reads.
void measure_host_memory(std::vector<LinkConstant>& constants) {
  constexpr std::int64_t bytes = std::int64_t{1} << 30;
  constexpr std::int64_t link_copies = 40;
  const std::vector<std::byte> from(static_cast<std::size_t>(bytes));
  std::vector<std::byte> to(from.size());
  const DeviceBuffer device(copy_bytes, "link in");
  const PinnedMemory pinned(copy_bytes, "link in");
  const double rate = median_of_repeats([&] {
    AGPUSIM_CUDA_CHECK(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < link_copies; ++i) {
      enqueue_copy(device.data(), pinned.data(), copy_bytes, cudaMemcpyHostToDevice, cuda_stream());
    }
    std::int64_t moved = 0;
    while (cudaStreamQuery(cuda_stream()) == cudaErrorNotReady) {
      copy_on_host(to.data(), from.data(), bytes);
      moved += 2 * bytes;
    }
    static_cast<void>(cudaGetLastError());  // else the next launch would be blamed
    return static_cast<double>(moved + link_copies * copy_bytes) / giga / seconds_since(begin);
  });
  constants.push_back(
      {"host_memory", rate, "GB/s",
       "1 GiB after the other copied in host memory on all cores, bytes read plus "
       "written, while 40 copies of 256 MiB from pinned memory are under way, too"});
}

void measure_compaction(std::vector<LinkConstant>& constants) {
  constexpr std::int64_t n = std::int64_t{1} << 27;
  std::vector<std::int64_t> places(static_cast<std::size_t>(n));
  std::iota(places.begin(), places.end(), 0);
  std::vector<std::int32_t> compact(places.size());
  const double rate =
      static_cast<double>(n) / giga / median_of_repeats([&] {
        return host_seconds([&] { static_cast<void>(compact_places(places, compact, n)); });
      });
  constants.push_back({"host_compact_rate", rate, "elements/ns",
                       "2^27 places of 64 bits made 32 bits wide, on all cores"});
}

}  // namespace

std::vector<LinkConstant> measure_link() {
  require_cuda_device();
  std::vector<LinkConstant> constants;
  measure_pinned(constants);
  measure_pageable(constants);
  measure_steps(constants);
  measure_compaction(constants);
  measure_host_memory(constants);
  return constants;
}

}  // namespace agpusim::out_of_core
