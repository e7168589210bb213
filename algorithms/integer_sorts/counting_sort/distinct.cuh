#pragma once

#include "agpusim/algorithms/integer_sorts/counting_sort/partition.cuh"

// The 1-H-P sort of keys that differ: a bit for every value of a bucket in shared memory; the bits
// in order are the sorted keys.
namespace agpusim::counting_sort {

/// Writes the keys of one bucket, whose bins' low bits are parts[bucket * room...], to their places
/// in `out`. `bits` are room / 32 words of shared memory, a multiple of 32. Counts the buckets in
/// which a key occurs more than once in *repeated.
__device__ inline void write_bucket(const Word* parts, const Buckets& buckets, Word bucket,
                                    Word least, std::int32_t* out, Word* repeated, Word* bits) {
  __shared__ CtaSum::TempStorage storage;
  __shared__ Word before_bucket;
  __shared__ Word of_warp[cta_threads / warp_lanes];
  const Word self = threadIdx.x;
  const Word warp = self / warp_lanes;
  clear_shared(bits, buckets.room / 32);
  wait_for_kernels_before();
  Word before = 0;
  for (Word b = self; b < bucket; b += cta_threads) before += __ldcg(buckets.cursors + b);
  before = CtaSum(storage).Sum(before);
  if (self == 0) before_bucket = before;
  __syncthreads();
  const Word count = __ldcg(buckets.cursors + bucket);
  const Word* const part = parts + std::int64_t{bucket} * buckets.room;
  const auto* const quads = reinterpret_cast<const uint4*>(part);
  const Word kept = min(count, buckets.room);
  const auto set = [&](Word value) { atomicOr(&bits[value / 32], Word{1} << (value % 32)); };
  const auto set_quad = [&](const uint4& quad) {
    for (const Word value : {quad.x, quad.y, quad.z, quad.w}) set(value);
  };
  Word i = self;
  for (; i + (loads_in_flight - 1) * cta_threads < kept / 4; i += loads_in_flight * cta_threads) {
    uint4 loaded[loads_in_flight];
#pragma unroll
    for (Word k = 0; k < loads_in_flight; ++k) loaded[k] = __ldcg(quads + i + k * cta_threads);
#pragma unroll
    for (Word k = 0; k < loads_in_flight; ++k) set_quad(loaded[k]);
  }
  for (; i < kept / 4; i += cta_threads) set_quad(__ldcg(quads + i));
  if (self < kept % 4) set(__ldcg(part + kept / 4 * 4 + self));
  __syncthreads();
  // Warp w writes the keys of the words from w * each on.
  constexpr Word warps = cta_threads / warp_lanes;
  const Word words = buckets.room / 32;
  const Word each = (words / warp_lanes + warps - 1) / warps * warp_lanes;
  const Word end = min(words, (warp + 1) * each);
  Word ones = 0;
  for (Word w = warp * each + lane(); w < end; w += warp_lanes) {
    ones += static_cast<Word>(__popc(static_cast<int>(bits[w])));
  }
  ones = __reduce_add_sync(all_lanes, ones);
  if (lane() == 0) of_warp[warp] = ones;
  __syncthreads();
  Word at = before_bucket;
  Word total = 0;
  for (Word w = 0; w < warps; ++w) {
    if (w < warp) at += of_warp[w];
    total += of_warp[w];
  }
  if (self == 0 && total != count) atomicAdd(repeated, Word{1});
  for (Word w = warp * each; w < end; w += warp_lanes) {
    const Word word = bits[w + lane()];
    Word sum = static_cast<Word>(__popc(static_cast<int>(word)));
    const Word own = sum;
#pragma unroll
    for (Word d = 1; d < warp_lanes; d *= 2) {
      const Word other = __shfl_up_sync(all_lanes, sum, d);
      if (lane() >= d) sum += other;
    }
    const Word first = at + sum - own;
    at += __shfl_sync(all_lanes, sum, warp_lanes - 1);
#pragma unroll 8
    for (Word k = 0; k < warp_lanes; ++k) {
      const Word other = __shfl_sync(all_lanes, word, static_cast<int>(k));
      const Word to = __shfl_sync(all_lanes, first, static_cast<int>(k)) +
                      static_cast<Word>(__popc(static_cast<int>(other & lanes_before())));
      if ((other >> lane() & 1) != 0) {
        const Word bin = (bucket << buckets.shift) + (w + k) * 32 + lane();
        __stcs(out + to, static_cast<std::int32_t>(bin + least));
      }
    }
  }
}

/// Also clears `next`, of `words` words, for the next run: a kernel of its own would take a tenth
/// of the time of 2 million keys.
static __global__ void __launch_bounds__(cta_threads)
    write_buckets(const Word* parts, Buckets buckets, Word least, std::int32_t* out, Word* repeated,
                  Word* next, Word words) {
  extern __shared__ __align__(128) Word bits[];
  write_bucket(parts, buckets, blockIdx.x, least, out, repeated, bits);
  if (blockIdx.x > 0) return;
  for (Word i = threadIdx.x; i < words; i += cta_threads) next[i] = 0;
}

}  // namespace agpusim::counting_sort
