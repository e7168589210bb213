// Lanes of a warp: they run apart, and __syncwarp() orders those of its mask.
#include <cooperative_groups.h>

#include "agpusim/tests/memory_model/idiom.cuh"

namespace cg = cooperative_groups;

IDIOM(syncwarp_exchange, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  s[t] = in[t];
  if (right) __syncwarp();
  out[t] = s[t ^ 1];
}

IDIOM(syncwarp_orders_global, 1, 32, race_in_global) {
  out[t] = in[t];
  if (right) __syncwarp();
  out[32 + t] = out[31 - t];
}

IDIOM(syncwarp_of_halves, 1, 32, race_in_shared) {
  __shared__ unsigned s[32];
  s[t] = in[t];
  __syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
  out[t] = s[t ^ (right ? 8 : 16)];
}

IDIOM(syncwarp_mask, 1, 32, race_in_shared) {
  __shared__ unsigned s[32];
  s[t] = in[t];
  __syncwarp(right ? every_lane : t < 16 ? 0xffffu : 0xffff0000u);
  out[t] = s[31 - t];
}

IDIOM(syncwarp_of_some_lanes, 1, 32, race_in_global) {
  if (t < 8) {
    out[t] = in[t];
    if (right) __syncwarp(0xff);
    out[32 + t] = out[7 - t];
  }
}

IDIOM(lanes_in_two_branches, 1, 32, race_in_shared) {
  __shared__ unsigned s[16];
  if (t < 16) s[t] = in[t];
  if (right) __syncwarp();
  if (t >= 16) out[t] = s[t - 16];
}

IDIOM(mask_has_own_lane, 1, 32, wrong_member_mask) {
  __shared__ unsigned s[32];
  s[t] = in[t];
  __syncwarp(right || t < 16 ? every_lane : 0xffffu);
  out[t] = s[t ^ 1];
}

IDIOM(volatile_tail, 1, 32, race) {
  __shared__ unsigned s[64];
  s[t] = in[t];
  s[t + 32] = in[t + 32];
  __syncwarp();
  unsigned sum = s[t];
  for (unsigned k = 32; k > 0; k /= 2) {
    sum += seen(&s[t + k]);
    if (right) __syncwarp();
    show(&s[t], sum);
    if (right) __syncwarp();
  }
  if (t == 0) out[0] = sum;
}

IDIOM(warp_synchronous_reduction, 1, 32, race_in_shared) {
  __shared__ unsigned s[32];
  s[t] = in[t];
  __syncwarp();
  for (unsigned k = 16; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    if (right) __syncwarp();
  }
  if (t == 0) out[0] = s[0];
}

IDIOM(lane_broadcast_reused, 1, 32, race_in_shared) {
  __shared__ unsigned base;
  for (unsigned k = 0; k < 3; ++k) {
    if (t == 0) base = in[k];
    __syncwarp();
    out[32 * k + t] = base;
    if (right) __syncwarp();
  }
}

RIGHT(shuffle_brings_what_was_read, 1, 32) {
  __shared__ unsigned s[32];
  s[t] = in[t];
  __syncwarp();
  s[t] += __shfl_sync(every_lane, s[(t + 31) % 32], 1);
  __syncwarp();
  out[t] = s[t];
}

RIGHT(shuffle_reduction, 2, 64) {
  unsigned sum = in[64 * cta + t];
  for (unsigned k = 16; k > 0; k /= 2) sum += __shfl_down_sync(every_lane, sum, k);
  if (t % 32 == 0) out[2 * cta + t / 32] = sum;
}

IDIOM(shuffle_is_no_memory_barrier, 1, 32, race_in_shared) {
  __shared__ unsigned s[32];
  s[t] = in[t];
  const unsigned next = __shfl_xor_sync(every_lane, in[t], 1);
  if (right) __syncwarp();
  out[t] = s[t ^ 1] + next;
}

IDIOM(vote_is_no_memory_barrier, 1, 32, race_in_global) {
  out[t] = in[t];
  const unsigned odd = __ballot_sync(every_lane, in[t] & 1);
  if (right) __syncwarp();
  out[32 + t] = out[31 - t] + odd;
}

IDIOM(shuffle_of_lanes_in_mask, 1, 32, absent_lane) {
  if (t < 16) out[t] = __shfl_sync(0xffff, in[t], right ? 15 - t : 31 - t);
}

IDIOM(warp_aggregated_atomic, 1, 64, race_in_global) {
  unsigned base = 0;
  if (t % 32 == 0) {
    base = right ? atomicAdd(flag, 32u) : flag[0];
    if (!right) flag[0] = base + 32;
  }
  out[__shfl_sync(every_lane, base, 0) + t % 32] = in[t];
}

IDIOM(match_elects_leaders, 1, 32, race_or_write_conflict) {
  __shared__ unsigned bins[8];
  if (t < 8) bins[t] = 0;
  __syncwarp();
  const unsigned key = in[t] % 8;
  const unsigned peers = __match_any_sync(every_lane, key);
  if (!right || t + 1 == __ffs(peers)) bins[key] += __popc(peers) + t;
  __syncwarp();
  if (t < 8) out[t] = bins[t];
}

IDIOM(one_lane_stores_the_sum, 1, 32, write_conflict) {
  const unsigned sum = __reduce_add_sync(every_lane, in[t]);
  if (right ? t == 0 : t < 2) out[0] = sum + t;
}

RIGHT(all_lanes_store_one_value, 1, 64) {
  __shared__ unsigned found;
  found = 7;
  out[0] = 9;
  __syncthreads();
  out[1 + t] = found;
}

RIGHT(full_mask_after_return, 1, 32) {
  __shared__ unsigned s[32];
  if (t >= 20) return;
  s[t] = in[t];
  __syncwarp();
  out[t] = s[19 - t];
}

IDIOM(tile_sync, 1, 32, race_in_shared) {
  __shared__ unsigned s[32];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  s[t] = in[t];
  tile.sync();
  out[t] = s[t ^ (right ? 8 : 16)];
}

IDIOM(block_sync_not_tile_sync, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  const auto block = cg::this_thread_block();
  s[t] = in[t];
  right ? block.sync() : cg::tiled_partition<32>(block).sync();
  out[t] = s[63 - t];
}

IDIOM(coalesced_group_sync, 1, 32, race_in_shared) {
  __shared__ unsigned s[32];
  if (in[t] % 2 == 0) return;
  const auto group = cg::coalesced_threads();
  s[t] = in[t];
  if (right) group.sync();
  out[t] = s[32 - t];
}

IDIOM(tiles_of_eight, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  s[t] = in[t];
  for (unsigned k = 4; k > 0; k /= 2) {
    __syncwarp(0xffu << (t % 32 / 8 * 8));
    const unsigned other = s[t ^ k];
    if (right) __syncwarp(0xffu << (t % 32 / 8 * 8));
    s[t] += other;
  }
  out[t] = s[t];
}
