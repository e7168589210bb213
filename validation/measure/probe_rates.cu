// Throughput of the whole device: every multiprocessor holds 64 warps for the whole kernel.
#include <cstdint>

#include "agpusim/validation/measure/probe.cuh"

namespace agpusim {
namespace {

constexpr int threads = 1024;
constexpr int ctas_per_multiprocessor = 2;
constexpr int warps_per_multiprocessor = threads * ctas_per_multiprocessor / 32;
constexpr int chains = 4;  // independent dependency chains of a thread
constexpr int unroll = 16;

// Instructions that a thread issues per group and chain; the result of each is needed by the next,
// and no two of them can be merged into one.
constexpr int mixed_group = 2;
constexpr int int_group = 4;

__device__ void keep(std::uint32_t value, std::uint32_t* never) {
  if (value == 0x9e3779b9U) *never = value;
}

__global__ void __launch_bounds__(threads, ctas_per_multiprocessor)
    issue_mixed(int iterations, float factor, std::uint32_t* never) {
  std::uint32_t x[chains];
  float f[chains];
  for (int c = 0; c < chains; ++c) {
    x[c] = threadIdx.x + static_cast<std::uint32_t>(c);
    f[c] = static_cast<float>(x[c]);
  }
  const std::uint32_t step = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
#pragma unroll
      for (int c = 0; c < chains; ++c) {
        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(f[c]) : "f"(factor));
        if (u % 2 == 0) {
          asm volatile("max.u32 %0, %0, %1;" : "+r"(x[c]) : "r"(step));
        } else {
          asm volatile("xor.b32 %0, %0, %1;" : "+r"(x[c]) : "r"(step));
        }
      }
    }
  }
  std::uint32_t sum = 0;
  for (int c = 0; c < chains; ++c) sum += x[c] ^ __float_as_uint(f[c]);
  keep(sum, never);
}

__global__ void __launch_bounds__(threads, ctas_per_multiprocessor)
    issue_int(int iterations, std::uint32_t* never) {
  std::uint32_t x[chains];
  std::uint32_t y[chains];
  for (int c = 0; c < chains; ++c) {
    x[c] = threadIdx.x + static_cast<std::uint32_t>(c);
    y[c] = 3 * x[c];
  }
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
#pragma unroll
      for (int c = 0; c < chains; ++c) {
        asm volatile("xor.b32 %0, %0, %1;" : "+r"(x[c]) : "r"(y[c]));
        asm volatile("max.u32 %0, %0, %1;" : "+r"(y[c]) : "r"(x[c]));
        asm volatile("add.u32 %0, %0, %1;" : "+r"(x[c]) : "r"(y[c]));
        asm volatile("min.u32 %0, %0, %1;" : "+r"(y[c]) : "r"(x[c]));
      }
    }
  }
  std::uint32_t sum = 0;
  for (int c = 0; c < chains; ++c) sum += x[c] ^ y[c];
  keep(sum, never);
}

__global__ void __launch_bounds__(threads, ctas_per_multiprocessor)
    load_shared(int iterations, std::uint32_t* never) {
  __shared__ std::uint32_t words[threads + 32 * unroll];
  for (int i = static_cast<int>(threadIdx.x); i < threads + 32 * unroll; i += threads) {
    words[i] = static_cast<std::uint32_t>(i);
  }
  __syncthreads();
  const volatile std::uint32_t* const mine = words + threadIdx.x;
  std::uint32_t sum = 0;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
    std::uint32_t value[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u) value[u] = mine[32 * u];
#pragma unroll
    for (int u = 0; u < unroll; ++u) sum ^= value[u];
  }
  keep(sum, never);
}

constexpr std::size_t block_words = 32;

/// Word `iteration` of the lanes' blocks: neighbouring lanes use neighbouring blocks, every warp
/// its own.
__device__ std::size_t scattered_word(int iteration, std::size_t words) {
  const std::size_t thread = std::size_t{blockIdx.x} * threads + threadIdx.x;
  const std::size_t step = std::size_t{gridDim.x} * threads;
  return ((thread + static_cast<std::size_t>(iteration) * step) * block_words) & (words - 1);
}

__global__ void __launch_bounds__(threads, ctas_per_multiprocessor)
    read_scattered(int iterations, const std::uint32_t* memory, std::size_t words,
                   std::uint32_t* never) {
  std::uint32_t sum = 0;
#pragma unroll 4
  for (int i = 0; i < iterations; ++i) sum ^= __ldcg(memory + scattered_word(i, words));
  keep(sum, never);
}

__global__ void __launch_bounds__(threads, ctas_per_multiprocessor)
    write_scattered(int iterations, std::uint32_t* memory, std::size_t words) {
#pragma unroll 4
  for (int i = 0; i < iterations; ++i) {
    memory[scattered_word(i, words)] = threadIdx.x + static_cast<std::uint32_t>(i);
  }
}

constexpr std::size_t matrix_pitch = 16384;  // words

/// Every CTA, a warp, reads a tile of 32 x 32 words row by row and writes it column by column.
__global__ void write_columns(const std::uint32_t* from, std::uint32_t* to) {
  const std::size_t tile = blockIdx.y * 32 * matrix_pitch + blockIdx.x * 32;
#pragma unroll 4
  for (std::uint32_t column = 0; column < 32; ++column) {
    to[tile + threadIdx.x * matrix_pitch + column] =
        from[tile + column * matrix_pitch + threadIdx.x];
  }
}

struct Interval {
  std::int64_t cycles;
  std::int64_t nanoseconds;
};

__global__ void __launch_bounds__(threads, ctas_per_multiprocessor)
    count_cycles(int iterations, Interval* interval, std::uint32_t* never) {
  std::int64_t begin_time;
  std::int64_t end_time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin_time));
  const std::int64_t begin = clock64();
  std::uint32_t x = threadIdx.x;
  std::uint32_t y = x + 1;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(x) : "r"(y));
      asm volatile("add.u32 %0, %0, %1;" : "+r"(y) : "r"(x));
    }
  }
  const std::int64_t end = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end_time));
  if (blockIdx.x == 0 && threadIdx.x == 0) *interval = {end - begin, end_time - begin_time};
  keep(x ^ y, never);
}

/// Units per nanosecond of the device when every warp of `enqueue(grid, never)` does `per_warp`
/// units.
template <class Enqueue>
double rate(double per_warp, Enqueue enqueue) {
  const DeviceBuffer never(sizeof(Interval), "calibration result");
  const int grid = probe_multiprocessors() * ctas_per_multiprocessor;
  const double units = per_warp * warps_per_multiprocessor * probe_multiprocessors();
  return median_of_repeats([&] {
    return units / (1e3 * device_microseconds(
                              [&] { enqueue(grid, static_cast<std::uint32_t*>(never.data())); }));
  });
}

}  // namespace

int probe_multiprocessors() {
  require_cuda_device();
  int count = 0;
  AGPUSIM_CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
  return count;
}

double probe_issue_rate() {
  constexpr int iterations = 2000;
  return rate(double{iterations} * unroll * chains * mixed_group,
              [](int grid, std::uint32_t* never) {
                issue_mixed<<<static_cast<unsigned>(grid), threads, 0, cuda_stream()>>>(
                    iterations, 0.5F, never);
              });
}

double probe_int_rate() {
  constexpr int iterations = 1000;
  return rate(double{iterations} * unroll * chains * int_group, [](int grid, std::uint32_t* never) {
    issue_int<<<static_cast<unsigned>(grid), threads, 0, cuda_stream()>>>(iterations, never);
  });
}

double probe_shared_rate() {
  constexpr int iterations = 4000;
  return rate(double{iterations} * unroll, [](int grid, std::uint32_t* never) {
    load_shared<<<static_cast<unsigned>(grid), threads, 0, cuda_stream()>>>(iterations, never);
  });
}

double probe_block_read_rate(std::size_t bytes) {
  constexpr int iterations = 200;
  const DeviceBuffer memory(bytes, "calibration memory");
  return rate(double{iterations} * 32, [&](int grid, std::uint32_t* never) {
    read_scattered<<<static_cast<unsigned>(grid), threads, 0, cuda_stream()>>>(
        iterations, static_cast<const std::uint32_t*>(memory.data()), bytes / 4, never);
  });
}

double probe_block_write_rate(std::size_t bytes) {
  constexpr int iterations = 200;
  const DeviceBuffer memory(bytes, "calibration memory");
  return rate(double{iterations} * 32, [&](int grid, std::uint32_t*) {
    write_scattered<<<static_cast<unsigned>(grid), threads, 0, cuda_stream()>>>(
        iterations, static_cast<std::uint32_t*>(memory.data()), bytes / 4);
  });
}

double probe_warp_write_rate() {
  constexpr auto tiles = static_cast<unsigned>(matrix_pitch / 32);
  constexpr std::size_t words = matrix_pitch * matrix_pitch;
  const DeviceBuffer from(words * sizeof(std::uint32_t), "calibration source");
  const DeviceBuffer to(words * sizeof(std::uint32_t), "calibration target");
  return median_of_repeats([&] {
    return static_cast<double>(words) /
           (1e3 * device_microseconds([&] {
              write_columns<<<dim3(tiles, tiles), 32, 0, cuda_stream()>>>(
                  static_cast<const std::uint32_t*>(from.data()),
                  static_cast<std::uint32_t*>(to.data()));
            }));
  });
}

double probe_clock() {
  constexpr int iterations = 4000;
  const DeviceBuffer result(sizeof(Interval), "calibration result");
  const DeviceBuffer never(sizeof(std::uint32_t), "calibration result");
  return median_of_repeats([&] {
    count_cycles<<<static_cast<unsigned>(probe_multiprocessors() * ctas_per_multiprocessor),
                   threads, 0, cuda_stream()>>>(iterations, static_cast<Interval*>(result.data()),
                                                static_cast<std::uint32_t*>(never.data()));
    AGPUSIM_CUDA_CHECK(cudaGetLastError());
    Interval interval{};
    result.download(&interval, cuda_stream());
    return static_cast<double>(interval.cycles) / static_cast<double>(interval.nanoseconds);
  });
}

}  // namespace agpusim
