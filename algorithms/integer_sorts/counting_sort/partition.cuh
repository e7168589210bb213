#pragma once

#include "agpusim/algorithms/integer_sorts/counting_sort/cub_steps.cuh"

// Keys by the high bits of their bins, without order among those of one bucket, so that the
// counters of a bucket fit into shared memory. Ranks come from one atomic operation a key; a tile
// is put together in shared memory and leaves in runs of neighbours.
namespace agpusim::counting_sort {

inline constexpr int most_buckets = cta_threads;
inline constexpr int tile_items = 16;  ///< keys of a thread
inline constexpr Word tile_keys = cta_threads * tile_items;

/// begins[b] = cursors[b] = the keys before bucket b; begins[buckets] = all keys. One CTA.
static __global__ void __launch_bounds__(cta_threads)
    begin_buckets(const Word* counts, int buckets, Word* cursors, Word* begins) {
  __shared__ CtaScan::TempStorage storage;
  const auto bucket = static_cast<int>(threadIdx.x);
  wait_for_kernels_before();
  Word begin;
  Word total;
  CtaScan(storage).ExclusiveSum(bucket < buckets ? counts[bucket] : 0, begin, total);
  if (bucket < buckets) cursors[bucket] = begins[bucket] = begin;
  if (bucket == 0) begins[buckets] = total;
}

/// Where a split puts a bucket: its keys go to cursors[b] on, or, with `room` > 0, to the room
/// places from b * room on, cursors[b] of which are taken. Beyond the last room nothing is written.
struct Buckets {
  Word* cursors;
  int count;
  int shift;  ///< the bucket of a bin is bin >> shift
  Word room;
};

/// What a CTA needs to split tiles besides tile_keys words of dynamic shared memory.
struct SplitStorage {
  CtaScan::TempStorage scan;
  Word counts[most_buckets];  ///< keys of the tile, then where a bucket goes less its first slot
  Word firsts[most_buckets];  ///< first slots of the buckets in the tile
};

/// Writes the low `shift` bits of every bin to `out`, bucket by bucket. All CTAs share the tiles.
template <class Out>
__device__ void split_tiles(const std::int32_t* keys, Word n, Word least, const Buckets& buckets,
                            Out* out, Word* slots, SplitStorage& storage) {
  const int shift = buckets.shift;
  const Word low_bits = (Word{1} << shift) - 1;
  const Word limit = buckets.room > 0 ? static_cast<Word>(buckets.count) * buckets.room : n;
  const Word self = threadIdx.x;
  storage.counts[self] = 0;
  __syncthreads();
  wait_for_kernels_before();
  for (std::int64_t first = std::int64_t{blockIdx.x} * tile_keys; first < n;
       first += std::int64_t{gridDim.x} * tile_keys) {
    const Word here = min(tile_keys, n - static_cast<Word>(first));
    const bool whole = here == tile_keys;
    Word bins[tile_items];
    Word ranks[tile_items];
    if (whole) {
#pragma unroll
      for (int i = 0; i < tile_items / 4; ++i) {
        const int4 quad =
            __ldcs(reinterpret_cast<const int4*>(keys + first) + i * cta_threads + self);
        bins[4 * i] = static_cast<Word>(quad.x) - least;
        bins[4 * i + 1] = static_cast<Word>(quad.y) - least;
        bins[4 * i + 2] = static_cast<Word>(quad.z) - least;
        bins[4 * i + 3] = static_cast<Word>(quad.w) - least;
      }
#pragma unroll
      for (int i = 0; i < tile_items; ++i) {  // lanes in the first lane's bucket are added at once
        const Word bucket = bins[i] >> shift;
        const Word same = __ballot_sync(all_lanes, bucket == __shfl_sync(all_lanes, bucket, 0));
        const bool together = (same >> lane() & 1) != 0;
        Word rank = 0;
        if (!together || lane() == 0) {
          rank = atomicAdd(&storage.counts[bucket],
                           together ? static_cast<Word>(__popc(static_cast<int>(same))) : 1);
        }
        const Word of_first = __shfl_sync(all_lanes, rank, 0);
        ranks[i] =
            together ? of_first + static_cast<Word>(__popc(static_cast<int>(same & lanes_before())))
                     : rank;
      }
    } else {
#pragma unroll
      for (int i = 0; i < tile_items; ++i) {
        const Word at = static_cast<Word>(i) * cta_threads + self;
        if (at >= here) continue;
        bins[i] = static_cast<Word>(keys[first + at]) - least;
        ranks[i] = atomicAdd(&storage.counts[bins[i] >> shift], Word{1});
      }
    }
    __syncthreads();
    const Word count = storage.counts[self];
    Word place = self * buckets.room;
    if (count != 0) place += atomicAdd(&buckets.cursors[self], count);
    Word slot;
    CtaScan(storage.scan).ExclusiveSum(count, slot);
    storage.firsts[self] = slot;
    __syncthreads();
    const auto stage = [&](int i) { slots[storage.firsts[bins[i] >> shift] + ranks[i]] = bins[i]; };
    const auto leave = [&](Word at) {
      const Word bin = slots[at];
      const Word to = storage.counts[bin >> shift] + at;
      if (to < limit) out[to] = static_cast<Out>(bin & low_bits);
    };
    if (whole) {
#pragma unroll
      for (int i = 0; i < tile_items; ++i) stage(i);
    } else {
#pragma unroll
      for (int i = 0; i < tile_items; ++i) {
        if (static_cast<Word>(i) * cta_threads + self < here) stage(i);
      }
    }
    storage.counts[self] = place - slot;
    __syncthreads();
    if (whole) {
#pragma unroll
      for (Word i = 0; i < tile_items; ++i) leave(i * cta_threads + self);
    } else {
      for (Word at = self; at < here; at += cta_threads) leave(at);
    }
    __syncthreads();
    storage.counts[self] = 0;
    __syncthreads();
  }
}

template <class Out>
__global__ void __launch_bounds__(cta_threads, 1)
    split(const std::int32_t* keys, Word n, Word least, Buckets buckets, Out* out) {
  extern __shared__ __align__(128) Word slots[];
  __shared__ SplitStorage storage;
  split_tiles(keys, n, least, buckets, out, slots, storage);
}

/// Adds the counts of the keys of every bucket, cut into units of at most `unit` keys, a multiple
/// of 8, to the 2^shift bins of the bucket.
static __global__ void __launch_bounds__(cta_threads)
    count_buckets(const std::uint16_t* parts, const Word* begins, int buckets, int shift, Word unit,
                  Word* bins) {
  extern __shared__ __align__(128) Word counters[];
  __shared__ CtaScan::TempStorage storage;
  __shared__ Word begin[most_buckets + 1];
  __shared__ Word first_unit[most_buckets + 1];
  const Word self = threadIdx.x;
  const bool mine = self < static_cast<Word>(buckets);
  wait_for_kernels_before();
  if (self <= static_cast<Word>(buckets)) begin[self] = begins[self];
  __syncthreads();
  Word units;
  Word before;
  CtaScan(storage).ExclusiveSum(mine ? (begin[self + 1] - begin[self] + unit - 1) / unit : 0,
                                before, units);
  if (mine) first_unit[self] = before;
  __syncthreads();
  const Word values = Word{1} << shift;
  for (Word u = blockIdx.x; u < units; u += gridDim.x) {
    int bucket = 0;
    for (int high = buckets; high - bucket > 1;) {
      const int middle = (bucket + high) / 2;
      (first_unit[middle] <= u ? bucket : high) = middle;
    }
    const Word first = begin[bucket] + (u - first_unit[bucket]) * unit;
    const Word last = min(begin[bucket + 1], first + unit);
    clear_shared(counters, values);
    __syncthreads();
    const auto add = [&](Word bin) { atomicAdd(&counters[bin], Word{1}); };
    const Word from = min(last, (first + 7) / 8 * 8);  // 16 bytes are 8 keys
    const Word to = max(from, last / 8 * 8);
    if (self < from - first) add(parts[first + self]);
    if (self < last - to) add(parts[to + self]);
    const auto* const eights = reinterpret_cast<const uint4*>(parts);
    const auto add_eight = [&](const uint4& eight) {
      for (const Word two : {eight.x, eight.y, eight.z, eight.w}) {
        add(two & 0xffff);
        add(two >> 16);
      }
    };
    Word i = from / 8 + self;
    for (; i + cta_threads < to / 8; i += 2 * cta_threads) {
      const uint4 eight = __ldcs(eights + i);
      const uint4 other = __ldcs(eights + i + cta_threads);
      add_eight(eight);
      add_eight(other);
    }
    if (i < to / 8) add_eight(__ldcs(eights + i));
    __syncthreads();
    bulk_add(bins + std::int64_t{bucket} * values, counters, values);
  }
}

}  // namespace agpusim::counting_sort
