#pragma once

#include "agpusim/algorithms/integer_sorts/counting_sort/lanes.cuh"

// Counts of keys in bins of every CTA's shared memory, each key read once.
namespace agpusim::counting_sort {

/// Counters of 32 bits, added to `bins`, which hold 0 before; `words` bins, a multiple of 4. A bin
/// is (key - least) >> shift. One hot bin costs nothing extra: the hardware adds the ones of a warp
/// that meet on a word (ATOMS.POPC.INC).
static __global__ void __launch_bounds__(cta_threads)
    count_words(const std::int32_t* keys, std::int64_t n, Word least, int shift, Word words,
                Word* bins) {
  extern __shared__ __align__(128) Word counters[];
  clear_shared(counters, words);
  __syncthreads();
  wait_for_kernels_before();
  const auto add = [&](Word key) { atomicAdd(&counters[(key - least) >> shift], Word{1}); };
  stream_keys(
      keys, n, [](Word) {}, add, add);
  __syncthreads();
  bulk_add(bins, counters, words);
}

/// Takes over the counter of `bin`, at bit `at` of a word that was `before` the addition that
/// wrapped it: its 2^bits go to the bin in global memory. The carry has added 1 to the next counter
/// of the word, which is taken off there, and so on while the carry wraps counters.
template <int bits>
__device__ __noinline__ void spill(Word* bins, Word bin, Word before, Word at) {
  constexpr Word most = (Word{1} << bits) - 1;
  atomicAdd(&bins[bin], most + 1);
  for (at += bits, ++bin; at < 32; at += bits, ++bin) {
    atomicAdd(&bins[bin], ~Word{0});
    if (((before >> at) & most) != most) return;
    atomicAdd(&bins[bin], most + 1);
  }
}

/// Counters of 8 or 16 bits, 32 / bits in a word, for the bins below `span`: CTA number c leaves
/// them in tables[c * words...], and what did not fit in `bins`. Exact whatever the keys: see
/// spill. Batches whose first keys meet in few bins add those of a warp at once.
template <int bits>
__global__ void __launch_bounds__(cta_threads)
    count_packed(const std::int32_t* keys, std::int64_t n, Word least, Word span, Word words,
                 Word* bins, Word* tables) {
  extern __shared__ __align__(128) Word counters[];
  constexpr Word per_word = 32 / bits;
  constexpr Word most = (Word{1} << bits) - 1;
  constexpr int frequent = 6;  // lanes of a warp in one bin for which adding them at once pays
  clear_shared(counters, words);
  __syncthreads();
  wait_for_kernels_before();
  const auto add = [&](Word bin, Word count) {
    const Word at = bin % per_word * bits;
    const Word before = atomicAdd(&counters[bin / per_word], count << at);
    if (((before >> at) & most) + count > most) spill<bits>(bins, bin, before, at);
  };
  const auto add_alone = [&](Word key) {
    if (key - least < span) add(key - least, 1);
  };
  bool together = false;
  const auto add_of_warp = [&](Word key) {
    const FrequentLanes same = frequent_lanes(key);
    const Word self = Word{1} << lane();
    const Word mine = (same.first & self) != 0    ? same.first
                      : (same.second & self) != 0 ? same.second
                                                  : self;
    const bool speaks = (mine & lanes_before()) == 0;
    if (speaks && key - least < span) add(key - least, __popc(mine));
  };
  stream_loads(
      keys, n,
      [&](Word key) {
        const FrequentLanes same = frequent_lanes(key);
        together = __popc(same.first) >= frequent || __popc(same.second) >= frequent;
        return true;
      },
      [&](const Word(&each)[4]) {
        if (!together) {
#pragma unroll
          for (const Word key : each) add_alone(key);
          return;
        }
        const Word first = __shfl_sync(all_lanes, each[0], 0);
        const bool alike =
            each[0] == first && each[1] == first && each[2] == first && each[3] == first;
        if (__all_sync(all_lanes, alike)) {
          if (lane() == 0 && first - least < span) add(first - least, 4 * warp_lanes);
          return;
        }
#pragma unroll
        for (const Word key : each) add_of_warp(key);
      },
      add_alone);
  __syncthreads();
  auto* const table = reinterpret_cast<uint4*>(tables + std::int64_t{blockIdx.x} * words);
  for (Word i = threadIdx.x; i < words / 4; i += cta_threads) {
    table[i] = reinterpret_cast<const uint4*>(counters)[i];
  }
}

/// Adds the columns of `rows` tables of `words` words with packed counters to `range` bins. 8 warps
/// of a CTA share the rows of 32 columns.
template <int bits>
__global__ void add_tables(const Word* tables, int rows, Word words, Word* bins, Word range) {
  constexpr int per_word = 32 / bits;
  constexpr int warps = 8;
  constexpr Word most = (Word{1} << bits) - 1;
  __shared__ Word part[per_word][warps][warp_lanes + 1];
  wait_for_kernels_before();
  const Word warp = threadIdx.x / warp_lanes;
  const Word word = blockIdx.x * warp_lanes + lane();
  Word sums[per_word] = {};
  if (word < words) {
    for (Word row = warp; row < static_cast<Word>(rows); row += warps) {
      const Word counters = tables[std::int64_t{row} * words + word];
#pragma unroll
      for (int i = 0; i < per_word; ++i) sums[i] += (counters >> (i * bits)) & most;
    }
  }
#pragma unroll
  for (int i = 0; i < per_word; ++i) part[i][warp][lane()] = sums[i];
  __syncthreads();
  const std::int64_t bin = std::int64_t{word} * per_word + warp;
  if (warp >= per_word || word >= words || bin >= range) return;
  Word sum = 0;
  for (int i = 0; i < warps; ++i) sum += part[warp][i][lane()];
  bins[bin] += sum;
}

}  // namespace agpusim::counting_sort
