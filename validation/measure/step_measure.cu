#include <cstddef>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "agpusim/algorithms/out_of_core/cub_steps.cuh"
#include "agpusim/algorithms/out_of_core/scatter_window.cuh"
#include "agpusim/cuda/buffer.cuh"
#include "agpusim/validation/measure/probe.cuh"
#include "agpusim/validation/measure/step_measure.cuh"

namespace agpusim::out_of_core {
namespace {

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

/// A step that takes latency + n / rate.
struct StepTime {
  double latency = 0;  ///< microseconds
  double rate = 0;     ///< elements/ns
};

/// From the times of two sizes, in microseconds.
template <class Time>
StepTime step_time(std::int64_t small, std::int64_t large, Time time) {
  const double of_small = time(small);
  const double of_large = time(large);
  const double rate = static_cast<double>(large - small) / 1e3 / (of_large - of_small);
  return {of_small - static_cast<double>(small) / 1e3 / rate, rate};
}

void add(std::vector<LinkConstant>& constants, const std::string& name, std::int32_t bytes,
         const StepTime& time, const std::string& unit, const std::string& method) {
  constants.push_back(
      {fmt::format("{}_rate_{}", name, bytes), time.rate, unit, method + ": their difference"});
  constants.push_back({fmt::format("{}_latency_{}", name, bytes), time.latency, "us",
                       method + ": what the rate leaves"});
}

void measure_sort(std::vector<LinkConstant>& constants) {
  constexpr std::int64_t small = std::int64_t{1} << 21;
  constexpr std::int64_t large = std::int64_t{1} << 25;
  const Values<double> keys(large, "keys");
  const Values<double> sorted(large, "sorted keys");
  TemporaryMemory memory;
  cub_sort(memory, keys.data(), sorted.data(), large, cuda_stream());
  const DeviceBuffer temporary(memory.bytes, "temporary");
  memory.data = temporary.data();
  const StepTime time = step_time(small, large, [&](std::int64_t n) {
    return median_of_repeats([&] {
      keys.randomize(std::uint64_t{1} << 52);
      return device_microseconds(
          [&] { cub_sort(memory, keys.data(), sorted.data(), n, cuda_stream()); });
    });
  });
  add(constants, "cub_sort", sizeof(double), time, "keys/ns",
      "cub::DeviceRadixSort of 2^21 and 2^25 random f64 keys, from one array to another");
}

void measure_partition(std::vector<LinkConstant>& constants) {
  constexpr std::int64_t total = std::int64_t{1} << 28;
  constexpr std::int64_t small = std::int64_t{1} << 20;
  constexpr std::int64_t large = std::int64_t{1} << 24;
  PartitionStep<double> step{large, 24, 16, total};
  const Values<std::int64_t> places(large, "places");
  const Values<std::int64_t> places_out(large, "ordered places");
  const Values<double> values(large, "values");
  const Values<double> values_out(large, "ordered values");
  const Values<std::int64_t> counts(step.windows + 1, "counts");
  places.randomize(total);
  values.randomize(total);
  const PartitionPairs<double> in{places.data(), values.data()};
  const PartitionPairs<double> out{places_out.data(), values_out.data()};
  TemporaryMemory memory;
  cub_partition(memory, step, in, out, counts.data(), cuda_stream());
  const DeviceBuffer temporary(memory.bytes, "temporary");
  memory.data = temporary.data();
  const StepTime time = step_time(small, large, [&](std::int64_t n) {
    step.n = n;
    return median_of_repeats([&] {
      return device_microseconds(
          [&] { cub_partition(memory, step, in, out, counts.data(), cuda_stream()); });
    });
  });
  add(constants, "cub_partition", sizeof(double) + sizeof(std::int64_t), time, "pairs/ns",
      "2^20 and 2^24 pairs of a random 64-bit place and an f64 value by 16 windows, counts of the "
      "windows, then cub::DeviceRadixSort by 4 bits");
}

void measure_scatter(std::vector<LinkConstant>& constants) {
  constexpr std::int64_t small = std::int64_t{1} << 20;
  constexpr std::int64_t large = std::int64_t{1} << 26;
  constexpr std::int64_t total = std::int64_t{1} << 28;
  const Values<std::int64_t> places(large, "places");
  const Values<double> values(large, "values");
  const Values<double> window(total, "window");
  const Values<std::int32_t> bad(1, "bad");
  places.randomize(total);
  values.randomize(total);
  const StepTime time = step_time(small, large, [&](std::int64_t n) {
    return median_of_repeats([&] {
      return device_microseconds([&] {
        enqueue_scatter(ScatterStep<double>{n, 0, total, total}, places.data(), values.data(),
                        window.data(), bad.data(), cuda_stream());
      });
    });
  });
  add(constants, "scatter", sizeof(double), time, "elements/ns",
      "2^20 and 2^26 f64 values to random 64-bit places among 2^28");
}

}  // namespace

void measure_steps(std::vector<LinkConstant>& constants) {
  measure_sort(constants);
  measure_partition(constants);
  measure_scatter(constants);
}

}  // namespace agpusim::out_of_core
