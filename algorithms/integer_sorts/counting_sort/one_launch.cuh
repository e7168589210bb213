#pragma once

#include "agpusim/algorithms/integer_sorts/counting_sort/cub_steps.cuh"
#include "agpusim/algorithms/integer_sorts/counting_sort/fill.cuh"

// Small inputs: counting, prefix sums and filling in one launch with a barrier of all CTAs between,
// since launches cost more than the keys.
namespace agpusim::counting_sort {

/// Waits until all CTAs of the grid, which must all be resident, have called it `target` /
/// gridDim.x times since *arrived was 0.
__device__ inline void grid_barrier(Word* arrived, Word target) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, Word{1});
    while (*const_cast<volatile Word*>(arrived) < target) {
    }
    __threadfence();
  }
  __syncthreads();
}

/// What lasts from run to run: two sets of bins, of which the one for the next run holds 0, and the
/// count of the barrier.
struct OneLaunchState {
  Word* bins;  ///< 2 * words
  Word words;  ///< words of a set, a multiple of 4, more than the range
  Word* arrived;
};

/// Run number `epoch` since the state was 0.
static __global__ void __launch_bounds__(cta_threads, 1)
    sort_in_one_launch(const std::int32_t* keys, std::int32_t* out, Word n, Word least, Word range,
                       OneLaunchState state, Word epoch) {
  extern __shared__ __align__(128) Word shared[];  // a warp's heads each, then the bins
  __shared__ CtaScan::TempStorage storage;
  constexpr Word warps = cta_threads / warp_lanes;
  const Word self = threadIdx.x;
  Word* const heads = shared + self / warp_lanes * fill_places;
  Word* const counters = shared + warps * fill_places;
  Word* const bins = state.bins + epoch % 2 * state.words;
  Word* const next = state.bins + (epoch + 1) % 2 * state.words;
  clear_shared(counters, state.words);
  for (Word i = blockIdx.x * cta_threads + self; i < state.words; i += gridDim.x * cta_threads) {
    next[i] = 0;
  }
  __syncthreads();
  const auto add = [&](Word key) { atomicAdd(&counters[key - least], Word{1}); };
  stream_keys(
      keys, n, [](Word) {}, add, add);
  __syncthreads();
  for (Word i = self; i < range; i += cta_threads) {
    if (counters[i] != 0) atomicAdd(&bins[i], counters[i]);
  }
  grid_barrier(state.arrived, (epoch + 1) * gridDim.x);
  // Every CTA has its own first places: a thread adds up neighbours, an odd number against
  // conflicts.
  for (Word i = self; i < range; i += cta_threads) counters[i] = __ldcg(bins + i);
  __syncthreads();
  const Word each = (range + cta_threads - 1) / cta_threads | 1;
  const Word first = min(range, self * each);
  const Word last = min(range, first + each);
  Word start = 0;
  for (Word i = first; i < last; ++i) start += counters[i];
  CtaScan(storage).ExclusiveSum(start, start);
  for (Word i = first; i < last; ++i) {
    const Word count = counters[i];
    counters[i] = start;
    start += count;
  }
  if (self == 0) counters[range] = n;
  __syncthreads();
  fill_turns(WarpPlaces<ConsecutiveValues>{out, n, counters, range, {least}, heads},
             blockIdx.x * warps + self / warp_lanes, gridDim.x * warps, 1);
}

}  // namespace agpusim::counting_sort
