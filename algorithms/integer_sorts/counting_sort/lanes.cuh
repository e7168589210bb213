#pragma once

#include <cstdint>
#include <type_traits>

#include "agpusim/cuda/launch.cuh"

// What the kernels of the sorts from counts share. Keys are 32-bit integers; a bin is a key less
// the least one, as an unsigned word.
namespace agpusim::counting_sort {

using Word = std::uint32_t;

inline constexpr Word all_lanes = 0xffffffffU;
inline constexpr int warp_lanes = 32;
inline constexpr int cta_threads = 1024;
inline constexpr int loads_in_flight = 4;  ///< loads of 16 bytes, of each thread

__device__ inline Word lane() { return threadIdx.x % warp_lanes; }
__device__ inline Word lanes_before() { return (Word{1} << lane()) - 1; }

static __global__ void __launch_bounds__(cta_threads)
    set_words(Word* words, std::int64_t count, Word value) {
  wait_for_kernels_before();
  const std::int64_t step = std::int64_t{gridDim.x} * cta_threads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * cta_threads + threadIdx.x; i < count;
       i += step) {
    words[i] = value;
  }
}

/// The lanes whose value is that of the first lane, and those whose value is that of the first
/// other lane: where few values are frequent, one of them is mostly among the two.
struct FrequentLanes {
  Word first;
  Word second;
};
__device__ inline FrequentLanes frequent_lanes(Word value) {
  const Word first = __ballot_sync(all_lanes, value == __shfl_sync(all_lanes, value, 0));
  const int other = first == all_lanes ? 0 : __ffs(static_cast<int>(~first)) - 1;
  const Word second = __ballot_sync(all_lanes, value == __shfl_sync(all_lanes, value, other));
  return {first, second & ~first};
}

/// What one load of 16 bytes brings.
template <class Bits>
inline constexpr int keys_of_load = 16 / sizeof(Bits);
template <class Bits>
union Load {
  uint4 all;
  Bits each[keys_of_load<Bits>];
};

/// Takes the keys of this CTA's threads, as unsigned numbers, all CTAs together every one of n.
/// Each thread has loads_in_flight loads of 16 bytes under way. Full warps call begin(key) with a
/// key of such a batch, which may end the CTA's part by returning false, and then use(keys) for
/// each load; rest(key) takes the keys that fill no batch.
template <class Key, class Begin, class Use, class Rest>
__device__ void stream_loads(const Key* keys, std::int64_t n, Begin begin, Use use, Rest rest) {
  using Bits = std::make_unsigned_t<Key>;
  constexpr int each = keys_of_load<Bits>;
  const auto* const loads = reinterpret_cast<const uint4*>(keys);
  const std::int64_t count = n / each;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  std::int64_t warp_first =
      std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x / warp_lanes * warp_lanes;
  for (; warp_first + warp_lanes - 1 + (loads_in_flight - 1) * stride < count;
       warp_first += loads_in_flight * stride) {
    Load<Bits> loaded[loads_in_flight];
#pragma unroll
    for (int i = 0; i < loads_in_flight; ++i) {
      loaded[i].all = __ldcs(loads + warp_first + lane() + i * stride);
    }
    if (!begin(loaded[0].each[0])) return;
#pragma unroll
    for (int i = 0; i < loads_in_flight; ++i) use(loaded[i].each);
  }
  for (std::int64_t i = warp_first + lane(); i < count; i += stride) {
    Load<Bits> last;
    last.all = loads[i];
#pragma unroll
    for (const Bits key : last.each) rest(key);
  }
  if (blockIdx.x == 0 && threadIdx.x < n % each) {
    rest(static_cast<Bits>(keys[count * each + threadIdx.x]));
  }
}

/// stream_loads whose use(key) takes one key at a time and which goes on to the end.
template <class Begin, class Use, class Rest>
__device__ void stream_keys(const std::int32_t* keys, std::int64_t n, Begin begin, Use use,
                            Rest rest) {
  stream_loads(
      keys, n,
      [&](Word key) {
        begin(key);
        return true;
      },
      [&](const Word(&each)[4]) {
#pragma unroll
        for (const Word key : each) use(key);
      },
      rest);
}

/// Sets `words` words, a multiple of 4, to 0; ends without a barrier.
__device__ inline void clear_shared(Word* shared, Word words) {
  for (Word i = threadIdx.x; i < words / 4; i += blockDim.x) {
    reinterpret_cast<uint4*>(shared)[i] = make_uint4(0, 0, 0, 0);
  }
}

/// Adds `words` words of shared memory, a multiple of 4, to global memory, both aligned to 16
/// bytes, by the device's copy engine. All threads call it; a barrier at either end.
__device__ inline void bulk_add(Word* global, const Word* shared, Word words) {
  constexpr Word piece = 1024;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x < warp_lanes) {
    for (Word at = threadIdx.x * piece; at < words; at += warp_lanes * piece) {
      asm volatile(
          "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(
              global + at),
          "r"(static_cast<Word>(__cvta_generic_to_shared(shared + at))),
          "r"(min(piece, words - at) * 4)
          : "memory");
    }
    asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
  }
  __syncthreads();
}

}  // namespace agpusim::counting_sort
