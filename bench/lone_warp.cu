#include <array>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "agpusim/cuda/buffer.cuh"
#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"

// Cycles that the only CTA of a multiprocessor, of 1 to 32 warps, takes for accesses to shared
// memory, minima and barriers: what model/agpu/lone_task.hpp takes for them.
namespace {

using namespace agpusim;
using Word = std::uint32_t;

constexpr int registers = 16;
constexpr int turns = 256;
constexpr int repeats = 5;
constexpr Word row = 128;  // bytes, of a warp

__device__ __forceinline__ void store(Word at, Word value) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
}
__device__ __forceinline__ Word load(Word at) {
  Word value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
  return value;
}

struct Lane {
  Word own;    ///< address of the lane's word of a row
  Word other;  ///< address of the neighbour's word of a row
  Word x[registers];
};

struct Stores {
  static constexpr const char* name = "16 stores";
  __device__ static void run(Lane& lane) {
    for (int i = 0; i < 16; ++i) store(lane.own + row * i, lane.x[i]);
  }
};
struct StoreAndLoad {
  static constexpr const char* name = "16 times a store, then a load";
  __device__ static void run(Lane& lane) {
    for (int i = 0; i < 16; ++i) {
      store(lane.own + row * i, lane.x[i]);
      lane.x[i] = load(lane.other + row * i);
    }
  }
};
template <int rows>
struct Exchange {
  static constexpr const char* name =
      rows == 1 ? "store, syncwarp, load" : "4 stores, syncwarp, 4 loads";
  __device__ static void run(Lane& lane) {
    for (int i = 0; i < rows; ++i) store(lane.own + row * i, lane.x[i]);
    __syncwarp();
    for (int i = 0; i < rows; ++i) lane.x[i] = load(lane.other + row * i);
  }
};
struct Comparisons {
  static constexpr const char* name = "8 minima and maxima of registers";
  __device__ static void run(Lane& lane) {
    for (int i = 0; i < 16; i += 2) {
      Word low;
      Word high;
      asm volatile("min.u32 %0, %1, %2;" : "=r"(low) : "r"(lane.x[i]), "r"(lane.x[i + 1]));
      asm volatile("max.u32 %0, %1, %2;" : "=r"(high) : "r"(lane.x[i]), "r"(lane.x[i + 1]));
      lane.x[i] = low;
      lane.x[i + 1] = high;
    }
  }
};
struct Additions {
  static constexpr const char* name = "8 atomic additions without result";
  __device__ static void run(Lane& lane) {
    for (int i = 0; i < 8; ++i) {
      asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(lane.own + row * i), "r"(1U) : "memory");
    }
  }
};
struct SyncWarp {
  static constexpr const char* name = "syncwarp";
  __device__ static void run(Lane&) { __syncwarp(); }
};
struct SyncThreads {
  static constexpr const char* name = "syncthreads";
  __device__ static void run(Lane&) { __syncthreads(); }
};
struct BitonicStage {
  static constexpr const char* name = "2 loads, min, max, 2 stores, syncthreads";
  __device__ static void run(Lane& lane) {
    const Word a = load(lane.own);
    const Word b = load(lane.other);
    store(lane.own, min(a, b));
    store(lane.other, max(a, b));
    __syncthreads();
  }
};

struct Cycles {
  std::int64_t two;  ///< cycles of `turns` turns of a loop with the pattern twice in it
  std::int64_t one;  ///< cycles with the pattern once
  Word value;
};

template <class Pattern>
__global__ void time_pattern(Word start, Cycles* result) {
  extern __shared__ Word memory[];
  const auto warp =
      static_cast<Word>(__cvta_generic_to_shared(memory)) + threadIdx.x / 32 * (registers * row);
  Lane lane{warp + threadIdx.x % 32 * 4, warp + (threadIdx.x ^ 1) % 32 * 4, {}};
  for (int i = 0; i < registers; ++i) {
    lane.x[i] = threadIdx.x * i + start;
    store(lane.own + row * i, start);
  }
  __syncthreads();
  const std::int64_t begin = clock64();
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
    Pattern::run(lane);
    Pattern::run(lane);
  }
  const std::int64_t middle = clock64();
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) Pattern::run(lane);
  __syncthreads();
  const std::int64_t end = clock64();
  Word value = 0;
  for (const Word x : lane.x) value ^= x;
  if (threadIdx.x == 0) *result = {middle - begin, end - middle, value};
}

/// The pattern in the loop twice less once: what surrounds it is in both.
template <class Pattern>
double cycles(unsigned warps) {
  constexpr int most_bytes = 32 * registers * row;
  AGPUSIM_CUDA_CHECK(cudaFuncSetAttribute(time_pattern<Pattern>,
                                          cudaFuncAttributeMaxDynamicSharedMemorySize, most_bytes));
  const DeviceBuffer result(sizeof(Cycles), "result");
  Cycles best{std::numeric_limits<std::int64_t>::max(), 0, 0};
  for (int repeat = 0; repeat < repeats; ++repeat) {
    time_pattern<Pattern>
        <<<1, 32 * warps, most_bytes, cuda_stream()>>>(0, static_cast<Cycles*>(result.data()));
    AGPUSIM_CUDA_CHECK(cudaGetLastError());
    Cycles found{};
    result.download(&found, cuda_stream());
    if (found.two < best.two) best = found;
  }
  return static_cast<double>(best.two - best.one) / turns;
}

constexpr std::array<unsigned, 6> warps_of_cta = {1, 2, 4, 8, 16, 32};

template <class Pattern>
void measure() {
  fmt::print("{:<42}", Pattern::name);
  for (const unsigned warps : warps_of_cta) fmt::print(" {:>8.1f}", cycles<Pattern>(warps));
  fmt::print("\n");
}

}  // namespace

int main() {
  fmt::print("{:<42}", "cycles, by warps of the CTA");
  for (const unsigned warps : warps_of_cta) fmt::print(" {:>8}", warps);
  fmt::print("\n");
  measure<Stores>();
  measure<StoreAndLoad>();
  measure<Exchange<1>>();
  measure<Exchange<4>>();
  measure<Comparisons>();
  measure<Additions>();
  measure<SyncWarp>();
  measure<SyncThreads>();
  measure<BitonicStage>();
}
