// Barriers of a CTA: which threads they order, and where all must come to them.
#include "agpusim/tests/memory_model/idiom.cuh"

IDIOM(syncthreads_exchange, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  s[t] = in[t];
  if (right) __syncthreads();
  out[t] = s[63 - t];
}

IDIOM(syncthreads_orders_global, 1, 64, race_in_global) {
  out[t] = in[t] + 1;
  if (right) __syncthreads();
  out[64 + t] = out[63 - t];
}

IDIOM(syncthreads_not_syncwarp, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  s[t] = in[t];
  right ? __syncthreads() : __syncwarp();
  out[t] = s[63 - t];
}

IDIOM(syncthreads_orders_reads_before_writes, 1, 64, race_in_global) {
  const unsigned next = out[(t + 1) % 64];
  if (right) __syncthreads();
  out[t] = next + t;
}

IDIOM(tree_reduction, 1, 128, race_in_shared) {
  __shared__ unsigned s[128];
  s[t] = in[t];
  __syncthreads();
  for (unsigned k = 64; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    if (right) __syncthreads();
  }
  if (t == 0) out[0] = s[0];
}

IDIOM(reduction_in_global, 1, 128, race_in_global) {
  out[t] = in[t];
  __syncthreads();
  for (unsigned k = 64; k > 0; k /= 2) {
    if (t < k) out[t] += out[t + k];
    if (right) __syncthreads();
  }
}

IDIOM(scan_in_place, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  s[t] = in[t];
  for (unsigned k = 1; k < 64; k *= 2) {
    __syncthreads();
    const unsigned left = t >= k ? s[t - k] : 0;
    if (right) __syncthreads();
    s[t] += left;
  }
  out[t] = s[t];
}

IDIOM(double_buffer, 1, 64, race_in_shared) {
  __shared__ unsigned s[2][64];
  unsigned sum = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned buffer = right ? k % 2 : 0;
    s[buffer][t] = in[64 * k + t];
    __syncthreads();
    sum += s[buffer][63 - t];
  }
  out[t] = sum;
}

IDIOM(tile_reused, 1, 64, race_in_shared) {
  __shared__ unsigned tile[64];
  unsigned sum = 0;
  for (unsigned k = 0; k < 4; ++k) {
    tile[t] = in[64 * k + t];
    __syncthreads();
    for (unsigned j = 0; j < 4; ++j) sum += tile[(t + j) % 64];
    if (right) __syncthreads();
  }
  out[t] = sum;
}

IDIOM(reduce_then_broadcast, 1, 64, race_in_shared) {
  __shared__ unsigned sums[2], total;
  for (unsigned k = 0; k < 2; ++k) {
    const unsigned sum = __reduce_add_sync(every_lane, in[64 * k + t]);
    if (t % 32 == 0) sums[t / 32] = sum;
    __syncthreads();
    if (t == 0) total = sums[0] + sums[1];
    if (right) __syncthreads();
    out[64 * k + t] = total;
    __syncthreads();
  }
}

IDIOM(broadcast_reused, 1, 64, race_in_shared) {
  __shared__ unsigned base;
  for (unsigned k = 0; k < 3; ++k) {
    if (t == 0) base = in[k];
    __syncthreads();
    out[64 * k + t] = base;
    if (right) __syncthreads();
  }
}

IDIOM(stencil_halo, 1, 64, race_in_shared) {
  __shared__ unsigned s[66];
  s[t + 1] = in[t + 1];
  if (t == 0) s[0] = in[0];
  if (t == 63) s[65] = in[65];
  if (right) __syncthreads();
  out[t] = s[t] + s[t + 1] + s[t + 2];
}

IDIOM(histogram_zeroed, 1, 64, race_in_shared) {
  __shared__ unsigned bins[64];
  bins[t] = 0;
  if (right) __syncthreads();
  atomicAdd(&bins[in[t] * 5 % 64], 1u);
  __syncthreads();
  out[t] = bins[t];
}

IDIOM(histogram_read, 1, 64, race_in_shared) {
  __shared__ unsigned bins[64];
  bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[in[t] * 5 % 64], 1u);
  if (right) __syncthreads();
  out[t] = bins[t];
}

IDIOM(syncthreads_or_not_any_sync, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  s[t] = in[t];
  const int any = right ? __syncthreads_or(in[t] == 7) : __any_sync(every_lane, in[t] == 7);
  out[t] = s[63 - t] + any;
}

IDIOM(syncthreads_count_orders, 1, 64, race_in_global) {
  out[t] = in[t];
  const int odd =
      right ? __syncthreads_count(in[t] & 1) : __popc(__ballot_sync(every_lane, in[t] & 1));
  out[64 + t] = out[63 - t] + odd;
}

IDIOM(barrier_in_branch, 1, 64, divergent_barrier) {
  __shared__ unsigned s[64];
  s[t] = in[t];
  unsigned value = 0;
  if (right ? in[0] == 0 : in[t] < 48) {
    __syncthreads();
    value = s[47 - t % 48];
  }
  out[t] = value;
}

IDIOM(barrier_in_both_branches, 1, 64, barrier) {
  __shared__ unsigned s[64];
  s[t] = in[t];
  if (right ? in[0] == 0 : t < 32) {
    __syncthreads();
    out[t] = s[63 - t];
  } else {
    __syncthreads();
    out[t] = s[63 - t] + 1;
  }
}

IDIOM(barrier_in_loop, 1, 64, divergent_barrier) {
  __shared__ unsigned s[64];
  unsigned sum = 0;
  for (unsigned i = right ? 0 : t; i < in[80]; i += 64) {
    s[t] = in[i];
    __syncthreads();
    sum += s[t ^ 1];
    __syncthreads();
  }
  out[t] = sum;
}

RIGHT(return_before_barrier, 1, 64) {
  __shared__ unsigned s[64];
  if (t >= 40) return;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[39 - t];
}

IDIOM(named_barrier_of_pairs, 1, 128, race_in_shared) {
  __shared__ unsigned s[128];
  s[t] = in[t];
  bar_sync(1 + t / 64, 64);
  out[t] = s[t ^ (right ? 32 : 64)];
}

IDIOM(named_barrier_of_others, 1, 128, race_in_shared) {
  __shared__ unsigned s[64];
  if (t < 64) s[t] = in[t];
  if (right || t >= 64) bar_sync(2, right ? 128 : 64);
  if (t >= 64) out[t - 64] = s[127 - t];
}

IDIOM(named_barriers_of_one_number, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  s[t] = in[t];
  right ? bar_sync(1, 64) : bar_sync(1 + t / 32, 32);
  out[t] = s[63 - t];
}

IDIOM(named_barrier_orders_global, 1, 128, race_in_global) {
  out[t] = in[t];
  bar_sync(1 + t / 64, 64);
  out[128 + t] = out[t ^ (right ? 32 : 64)];
}

RIGHT(named_barrier_at_two_places, 1, 64) {
  __shared__ unsigned s[64];
  s[t] = in[t];
  if (t < 32) {
    asm volatile("barrier.sync 3, 64;" ::: "memory");
    out[t] = s[t + 32];
  } else {
    asm volatile("barrier.sync 3, 64;" ::: "memory");
    out[t] = s[t - 32] + 1;
  }
}

IDIOM(named_barrier_count, 1, 64, deadlock) {
  __shared__ unsigned s[64];
  s[t] = in[t];
  bar_sync(1, right ? 64 : 96);
  out[t] = s[63 - t];
}

IDIOM(barrier_of_whole_warps, 1, 64, barrier) {
  __shared__ unsigned s[64];
  const unsigned n = in[right ? 64 : 48];
  if (t >= n) return;
  s[t] = in[t];
  bar_sync(1, n);
  out[t] = s[n - 1 - t];
}

IDIOM(arrive_after_writes, 1, 64, race_in_shared) {
  __shared__ unsigned s[32];
  if (t < 32) {
    if (right) s[t] = in[t];
    bar_arrive(1, 64);
    if (!right) s[t] = in[t];
  } else {
    bar_sync(1, 64);
    out[t - 32] = s[63 - t];
  }
}

IDIOM(arrive_does_not_wait, 1, 64, race_in_global) {
  out[t] = in[t];
  if (t < 32) {
    right ? bar_sync(1, 64) : bar_arrive(1, 64);
    out[64 + t] = out[t + 32];
  } else {
    bar_sync(1, 64);
  }
}

IDIOM(producer_consumer, 1, 64, race_in_shared) {
  __shared__ unsigned s[32];
  for (unsigned k = 0; k < 3; ++k) {
    if (t < 32) {
      if (!right) s[t] = in[32 * k + t];
      if (k > 0) bar_sync(2, 64);
      if (right) s[t] = in[32 * k + t];
      bar_arrive(1, 64);
    } else {
      bar_sync(1, 64);
      out[32 * k + t - 32] = s[63 - t];
      if (k < 2) bar_arrive(2, 64);
    }
  }
}

IDIOM(short_tile, 1, 64, unwritten_shared) {
  __shared__ unsigned s[64];
  if (t < in[50]) s[t] = in[t];
  if (right && t >= in[50]) s[t] = 0;
  __syncthreads();
  out[t] = s[63 - t];
}

IDIOM(dynamic_shared_offsets, 1, 64, race_in_shared) {
  extern __shared__ unsigned dynamic[];
  unsigned* const a = dynamic;
  unsigned* const b = dynamic + (right ? 64 : 32);
  a[t] = in[t];
  b[t] = in[t] + 1;
  __syncthreads();
  out[t] = a[63 - t] + b[63 - t];
}

IDIOM(vectors_and_words, 1, 64, race_in_shared) {
  __shared__ alignas(16) unsigned s[160];
  if (t < 32) {
    reinterpret_cast<uint4*>(s)[t] = {t, t, t, t};
  } else {
    s[(right ? 96 : 95) + t] = t;
  }
  __syncthreads();
  out[t] = s[2 * t];
}

IDIOM(bytes_of_one_word, 1, 128, race_in_shared) {
  __shared__ unsigned words[32];
  if (t < 32) words[t] = 0;
  __syncthreads();
  if (right) {
    reinterpret_cast<unsigned char*>(words)[t] = static_cast<unsigned char>(in[t]);
  } else {
    words[t / 4] |= in[t] << 8 * (t % 4);
  }
  __syncthreads();
  if (t < 32) out[t] = words[t];
}

RIGHT(warps_end_behind_a_barrier, 1, 128) {
  __shared__ unsigned s[128];
  s[t] = in[t];
  __syncthreads();
  if (t >= 64) return;
  bar_sync(1, 64);
  s[t] += s[t + 64];
  bar_sync(1, 64);
  out[t] = s[63 - t];
}

IDIOM(bitonic_exchange, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  s[t] = in[t] * 7 % 64;
  for (unsigned k = 32; k > 0; k /= 2) {
    if (right || k >= 32) __syncthreads();
    if ((t & k) == 0 && s[t] > s[t + k]) {
      const unsigned greater = s[t];
      s[t] = s[t + k];
      s[t + k] = greater;
    }
  }
}

IDIOM(every_reader_arrives, 1, 128, race_in_shared) {
  __shared__ unsigned word;
  if (t == 0) word = 1;
  __syncthreads();
  if (t < 96) out[t] = word;
  if (t < (right ? 96 : 64)) bar_arrive(1, right ? 128 : 96);
  if (t >= 96) bar_sync(1, right ? 128 : 96);
  if (t == 96) word = 2;
}

IDIOM(every_byte_is_waited_for, 1, 96, race_in_shared) {
  __shared__ unsigned words[32];
  if (t < 32) words[t] = 0;
  __syncthreads();
  if (t < 64) {
    reinterpret_cast<unsigned char*>(words)[4 * (t % 32) + t / 32] = 1;
    if (right || t < 32) bar_arrive(1, right ? 96 : 64);
  } else {
    bar_sync(1, right ? 96 : 64);
    out[t] = words[t - 64];
  }
}

IDIOM(first_and_last_warp, 1, 1024, race_in_shared) {
  __shared__ unsigned s[1024];
  s[t] = in[t];
  if (t < 32 || t >= (right ? 992 : 960)) bar_sync(1, right ? 64 : 96);
  if (t < 32) out[t] = s[(right ? 992 : 928) + t];
}

IDIOM(as_many_barriers_as_16_bits_count, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  s[t] = in[t];
  for (unsigned k = 0; k < 65536; ++k) __syncthreads();
  const unsigned other = s[63 - t];
  for (unsigned k = 0; right && k < 65536; ++k) __syncthreads();
  s[t] = other;
}

// More CTAs than a note has times: those of an earlier CTA are none of this one's.
RIGHT(more_ctas_than_times, 300000, 32) {
  __shared__ unsigned s[32];
  s[t] = t;
  __syncthreads();
  if (s[31 - t] == cta) out[t] = 1;
}
