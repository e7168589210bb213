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

/// The keys of a warp that are one value, in every lane's register.
struct FrequentValue {
  Word value;
  Word count = 0;

  /// Adds what the lanes have seen of the value to its bin, where it has one.
  __device__ void flush(Word* bins, Word least, Word span) {
    const Word sum = __reduce_add_sync(all_lanes, count);
    if (lane() == 0 && sum != 0 && value - least < span) atomicAdd(&bins[value - least], sum);
    count = 0;
  }
};

/// Counters of 8 or 16 bits, 32 / bits in a word, for the bins below `span`: CTA number c leaves
/// them in tables[c * words...], and what did not fit in `bins`. Exact whatever the keys: see
/// spill. In batches whose first keys meet in few values a warp counts the last two values that its
/// loads began with often in registers.
template <int bits>
__global__ void __launch_bounds__(cta_threads)
    count_packed(const std::int32_t* keys, std::int64_t n, Word least, Word span, Word words,
                 Word* bins, Word* tables) {
  extern __shared__ __align__(128) Word counters[];
  constexpr Word per_word = 32 / bits;
  constexpr Word most = (Word{1} << bits) - 1;
  constexpr int frequent = 6;  // lanes of a warp for which looking at two values pays
  clear_shared(counters, words);
  __syncthreads();
  wait_for_kernels_before();
  const auto add = [&](Word key) {
    const Word bin = key - least;
    if (bin >= span) return;
    const Word at = bin % per_word * bits;
    const Word before = atomicAdd(&counters[bin / per_word], Word{1} << at);
    if (((before >> at) & most) == most) spill<bits>(bins, bin, before, at);
  };
  FrequentValue newer{least};
  FrequentValue older{least};
  bool together = false;
  const auto see = [&](Word key) {
    const FrequentLanes same = frequent_lanes(key);
    for (const Word lanes : {same.first, same.second}) {
      if (__popc(lanes) < frequent) continue;
      const Word value = __shfl_sync(all_lanes, key, __ffs(static_cast<int>(lanes)) - 1);
      if (value == newer.value || value == older.value) continue;
      older.flush(bins, least, span);
      older = newer;
      newer = {value};
    }
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
          for (const Word key : each) add(key);
          return;
        }
        see(each[0]);
#pragma unroll
        for (const Word key : each) {
          if (key == newer.value) {
            ++newer.count;
          } else if (key == older.value) {
            ++older.count;
          } else {
            add(key);
          }
        }
      },
      add);
  newer.flush(bins, least, span);
  older.flush(bins, least, span);
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
