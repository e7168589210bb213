// Fences and flags: release and acquire patterns between threads of a CTA, and between CTAs.
#include "agpusim/tests/memory_model/idiom.cuh"

/// Role 0 stores a word and sets a flag, role 1 waits for it and reads; others do nothing.
template <class Release, class Acquire>
__device__ __forceinline__ void hand_over(unsigned* data, unsigned* ready, unsigned* to,
                                          unsigned role, Release release, Acquire acquire) {
  if (role == 0) {
    *data = 42;
    release();
    show(ready, 1);
  } else if (role == 1) {
    while (seen(ready) == 0) {
    }
    acquire();
    *to = *data;
  }
}

IDIOM(flag_release_fence, 2, 32, race_in_global) {
  hand_over(
      out, flag, out + 1, t == 0 ? cta : 2, [] { right ? __threadfence() : void(); },
      [] { __threadfence(); });
}

IDIOM(flag_acquire_fence, 2, 32, race_in_global) {
  hand_over(
      out, flag, out + 1, t == 0 ? cta : 2, [] { __threadfence(); },
      [] { right ? __threadfence() : void(); });
}

IDIOM(volatile_orders_nothing, 2, 32, race_in_global) {
  const auto fence = [] { right ? __threadfence() : void(); };
  hand_over(out, flag, out + 1, t == 0 ? cta : 2, fence, fence);
}

IDIOM(fence_scope_between_ctas, 2, 32, race_in_global) {
  const auto fence = [] { right ? __threadfence() : __threadfence_block(); };
  hand_over(out, flag, out + 1, t == 0 ? cta : 2, fence, fence);
}

IDIOM(fence_before_flag, 2, 32, race_in_global) {
  hand_over(
      out, flag, out + 1, t == 0 ? cta : 2, [] { right ? __threadfence() : void(); },
      [] { __threadfence(); });
  if (!right) __threadfence();
}

IDIOM(fence_after_data, 2, 32, race_in_global) {
  if (!right) __threadfence();
  hand_over(
      out, flag, out + 1, t == 0 ? cta : 2, [] { right ? __threadfence() : void(); },
      [] { __threadfence(); });
}

IDIOM(fence_block_in_global, 1, 64, race_in_global) {
  const auto fence = [] { right ? __threadfence_block() : void(); };
  hand_over(out, flag, out + 1, t % 32 == 0 ? t / 32 : 2, fence, fence);
}

IDIOM(fence_block_in_shared, 1, 64, race_in_shared) {
  __shared__ unsigned data, ready;
  if (t == 0) data = ready = 0;
  __syncthreads();
  const auto fence = [] { right ? __threadfence_block() : void(); };
  hand_over(&data, &ready, out, t % 32 == 0 ? t / 32 : 2, fence, fence);
}

IDIOM(fence_of_one_warp_for_another, 1, 96, race_in_shared) {
  __shared__ unsigned data, ready;
  if (t == 0) data = ready = 0;
  __syncthreads();
  if (t == 64) __threadfence_block();
  const auto fence = [] { right ? __threadfence_block() : void(); };
  hand_over(&data, &ready, out, t % 32 == 0 ? t / 32 : 2, fence, fence);
}

RIGHT(flag_then_volatile_read, 2, 32) {
  if (t != 0) return;
  if (cta == 0) {
    out[0] = in[42];
    __threadfence();
    show(flag, 1);
  } else {
    while (seen(flag) == 0) {
    }
    __threadfence();
    out[1] = seen(out);
  }
}

IDIOM(fences_without_flag, 2, 32, race_in_global) {
  if (t != 0) return;
  if (cta == 0) {
    out[0] = in[42];
    __threadfence();
    show(flag, 1);
  } else {
    while (right && seen(flag) == 0) {
    }
    __threadfence();
    out[1] = out[0];
  }
}

IDIOM(fence_of_system, 2, 32, race_in_global) {
  if (t != 0) return;
  if (cta == 0) {
    out[0] = in[42];
    if (right) __threadfence_system();
    atomicExch_system(flag, 1u);
  } else {
    while (atomicAdd_system(flag, 0u) == 0) {
    }
    __threadfence_system();
    out[1] = out[0];
  }
}

IDIOM(fence_is_no_barrier, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  s[t] = in[t];
  right ? __syncthreads() : __threadfence_block();
  out[t] = s[63 - t];
}

IDIOM(polls_a_volatile, 2, 32, race_in_global) {
  if (t != 0) return;
  if (cta == 0) {
    show(flag, 1);
  } else {
    unsigned value = 0;
    while (value == 0) {
      if (right) value = seen(flag);
      if (!right) asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    }
    out[0] = value;
  }
}

IDIOM(flag_set_by_atomic, 2, 32, race_in_global) {
  if (t != 0) return;
  if (cta == 0) {
    if (right) atomicExch(flag, 1u);
    if (!right) flag[0] = 1;
  } else {
    while (atomicAdd(flag, 0u) == 0) {
    }
    out[0] = 1;
  }
}

IDIOM(barrier_then_one_fence, 2, 64, race_in_global) {
  if (cta == 0) {
    out[t] = in[t];
    if (right) __syncthreads();
    if (t == 0) __threadfence();
    if (t == 0) atomicExch(flag, 1u);
  } else {
    while (t == 0 && atomicAdd(flag, 0u) == 0) {
    }
    if (t == 0) __threadfence();
    __syncthreads();
    out[64 + t] = out[63 - t];
  }
}

IDIOM(one_polls_then_barrier, 2, 64, race_in_global) {
  if (cta == 0) {
    out[t] = in[t];
    __syncthreads();
    if (t == 0) __threadfence();
    if (t == 0) atomicExch(flag, 1u);
  } else {
    while (t == 0 && atomicAdd(flag, 0u) == 0) {
    }
    if (t == 0) __threadfence();
    if (right) __syncthreads();
    out[64 + t] = out[63 - t];
  }
}

IDIOM(last_block_fence, 4, 64, race_in_global) {
  __shared__ bool last;
  out[64 * cta + t] = in[64 * cta + t];
  if (right) __threadfence();
  __syncthreads();
  if (t == 0) {
    last = atomicInc(flag, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  unsigned sum = 0;
  for (unsigned k = t; k < 256; k += 64) sum += out[k];
  out[256 + t] = sum;
}

IDIOM(last_block_barrier, 4, 64, race_in_global) {
  __shared__ bool last;
  out[64 * cta + t] = in[64 * cta + t];
  __threadfence();
  if (right) __syncthreads();
  if (t == 0) {
    last = atomicInc(flag, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  unsigned sum = 0;
  for (unsigned k = t; k < 256; k += 64) sum += out[k];
  out[256 + t] = sum;
}

RIGHT(last_block_volatile_sums, 4, 32) {
  volatile unsigned* const sums = out;
  const unsigned sum = __reduce_add_sync(every_lane, in[32 * cta + t]);
  if (t != 0) return;
  sums[cta] = sum;
  __threadfence();
  if (atomicInc(flag, gridDim.x) != gridDim.x - 1) return;
  unsigned total = 0;
  for (unsigned k = 0; k < gridDim.x; ++k) total += sums[k];
  out[32] = total;
}

IDIOM(decoupled_look_back, 4, 32, race_in_global) {
  const unsigned sum = __reduce_add_sync(every_lane, in[32 * cta + t]);
  if (t != 0) return;
  unsigned before = 0;
  if (cta > 0) {
    while (seen(&flag[cta - 1]) == 0) {
    }
    if (right) __threadfence();
    before = out[cta - 1];
  }
  out[cta] = before + sum;
  if (right) __threadfence();
  show(&flag[cta], 1);
}

RIGHT(look_back_of_packed_words, 4, 32) {
  auto* const state = reinterpret_cast<unsigned long long*>(flag);
  const unsigned sum = __reduce_add_sync(every_lane, in[32 * cta + t]);
  if (t != 0) return;
  unsigned long long before = 1ull << 32;
  if (cta > 0) {
    do {
      before = atomicAdd(&state[cta - 1], 0ull);
    } while (before >> 32 == 0);
  }
  atomicExch(&state[cta], before + sum);
}

IDIOM(barrier_of_the_grid_by_hand, 4, 64, race_in_global) {
  out[64 * cta + t] = in[64 * cta + t];
  __syncthreads();
  if (t == 0) {
    if (right) __threadfence();
    atomicAdd(flag, 1u);
    while (seen(flag) < gridDim.x) {
    }
    if (right) __threadfence();
  }
  __syncthreads();
  out[256 + 64 * cta + t] = out[255 - (64 * cta + t)];
}

IDIOM(flag_for_each_step, 2, 32, race_in_global) {
  if (t != 0) return;
  for (unsigned k = 1; k <= 3; ++k) {
    if (cta == 0) {
      if (!right) out[0] = in[k];
      while (seen(&flag[1]) + 1 < k) {
      }
      __threadfence();
      if (right) out[0] = in[k];
      __threadfence();
      show(&flag[0], k);
    } else {
      while (seen(&flag[0]) < k) {
      }
      __threadfence();
      out[k] = out[0];
      __threadfence();
      show(&flag[1], k);
    }
  }
}

IDIOM(writer_waits_for_all_readers, 4, 32, race_in_global) {
  if (t != 0) return;
  if (cta < 3) {
    out[8 + cta] = out[0];
    __threadfence();
    if (right || cta < 2) atomicAdd(flag, 1u);
  } else {
    while (seen(flag) < (right ? 3 : 2)) {
    }
    __threadfence();
    out[0] = in[42];
  }
}
