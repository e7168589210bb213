// Atomic operations, orders and scopes of libcu++, locks.
#include <cuda/atomic>
#include <cuda/latch>

#include "agpusim/tests/memory_model/idiom.cuh"

template <cuda::thread_scope scope>
using Ref = cuda::atomic_ref<unsigned, scope>;
constexpr auto block_scope = cuda::thread_scope_block;
constexpr auto device_scope = cuda::thread_scope_device;
constexpr auto system_scope = cuda::thread_scope_system;
constexpr auto relaxed = cuda::memory_order_relaxed;
constexpr auto acquire = cuda::memory_order_acquire;
constexpr auto release = cuda::memory_order_release;

IDIOM(counter_in_global, 1, 128, race_in_global) {
  if (right) atomicAdd(flag, 1u);
  if (!right) flag[0] += 1;
}

IDIOM(counter_of_ctas, 8, 32, race_in_global) {
  if (t != 0) return;
  if (right) atomicAdd(flag, 1u);
  if (!right) flag[0] += 1;
}

IDIOM(counter_in_shared, 1, 128, race_in_shared) {
  __shared__ unsigned count;
  if (t == 0) count = 0;
  __syncthreads();
  if (right) atomicAdd(&count, 1u);
  if (!right) count += 1;
  __syncthreads();
  if (t == 0) out[0] = count;
}

IDIOM(histogram_in_global, 4, 32, race_in_global) {
  const unsigned bin = in[32 * cta + t] * 5 % 32;
  if (right) atomicAdd(&out[bin], 1u);
  if (!right) out[bin] += 1;
}

IDIOM(counter_is_reset, 1, 64, race_in_global) {
  if (t == 0) flag[0] = 5;
  if (right) __syncthreads();
  atomicAdd(flag, 1u);
}

IDIOM(counter_is_read, 1, 64, race_in_shared) {
  __shared__ unsigned count;
  if (t == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1u);
  if (right) __syncthreads();
  if (t == 33) count += 1;
}

IDIOM(atomic_and_plain_store, 2, 32, race_in_global) {
  if (t != 0) return;
  if (cta == 0) atomicMax(flag, 7u);
  if (cta == 1 && right) atomicExch(flag, 3u);
  if (cta == 1 && !right) flag[0] = 3;
}

IDIOM(scope_of_counter, 2, 32, race_in_global) {
  if (right) atomicAdd(flag, 1u);
  if (!right) atomicAdd_block(flag, 1u);
}

RIGHT(block_scope_in_one_cta, 1, 64) {
  atomicAdd_block(flag, 1u);
  atomicAdd_system(flag + 1, 1u);
}

IDIOM(scope_of_atomic_ref, 2, 32, race_in_global) {
  if (right) Ref<device_scope>(flag[0]).fetch_add(1, relaxed);
  if (!right) Ref<block_scope>(flag[0]).fetch_add(1, relaxed);
}

template <cuda::thread_scope scope>
__device__ __forceinline__ void hand_over(unsigned* data, unsigned* ready, unsigned value,
                                          unsigned* to, bool gives, cuda::memory_order by,
                                          cuda::memory_order with) {
  const Ref<scope> flag(*ready);
  if (gives) {
    *data = value;
    flag.store(1, by);
  } else {
    while (flag.load(with) == 0) {
    }
    *to = *data;
  }
}

IDIOM(release_and_acquire, 2, 32, race_in_global) {
  if (t != 0) return;
  hand_over<device_scope>(out, flag, in[42], out + 1, cta == 0, right ? release : relaxed,
                          right ? acquire : relaxed);
}

IDIOM(release_not_relaxed, 2, 32, race_in_global) {
  if (t != 0) return;
  hand_over<device_scope>(out, flag, in[42], out + 1, cta == 0, right ? release : relaxed, acquire);
}

IDIOM(acquire_not_relaxed, 2, 32, race_in_global) {
  if (t != 0) return;
  hand_over<device_scope>(out, flag, in[42], out + 1, cta == 0, release, right ? acquire : relaxed);
}

IDIOM(scope_of_release, 2, 32, race_in_global) {
  if (t != 0) return;
  if (right) hand_over<device_scope>(out, flag, in[42], out + 1, cta == 0, release, acquire);
  if (!right) hand_over<block_scope>(out, flag, in[42], out + 1, cta == 0, release, acquire);
}

RIGHT(release_of_system_scope, 2, 32) {
  if (t == 0) hand_over<system_scope>(out, flag, in[42], out + 1, cta == 0, release, acquire);
}

IDIOM(release_in_shared, 1, 64, race_in_shared) {
  __shared__ unsigned data, ready;
  if (t == 0) data = ready = 0;
  __syncthreads();
  if (t % 32 != 0) return;
  hand_over<block_scope>(&data, &ready, in[42], out, t == 0, right ? release : relaxed, acquire);
}

IDIOM(release_orders_own_lane, 1, 64, race_in_shared) {
  __shared__ unsigned data[32], ready;
  if (t == 0) ready = 0;
  __syncthreads();
  const Ref<block_scope> flag_of_data(ready);
  if (t < 32) {
    data[t] = in[t];
    if (right) __syncwarp();
    if (t == 0) flag_of_data.store(1, release);
  } else {
    while (flag_of_data.load(acquire) == 0) {
    }
    out[t] = data[63 - t];
  }
}

IDIOM(fence_of_libcu, 2, 32, race_in_global) {
  if (t != 0) return;
  const Ref<device_scope> ready(flag[0]);
  const auto fence = [](cuda::memory_order order) {
    if (right) cuda::atomic_thread_fence(order, device_scope);
    if (!right) cuda::atomic_thread_fence(order, block_scope);
  };
  if (cta == 0) {
    out[0] = in[42];
    fence(release);
    ready.store(1, relaxed);
  } else {
    while (ready.load(relaxed) == 0) {
    }
    fence(acquire);
    out[1] = out[0];
  }
}

IDIOM(release_is_cumulative, 3, 32, race_in_global) {
  if (t != 0) return;
  const Ref<device_scope> first(flag[0]), second(flag[1]);
  if (cta == 0) {
    out[0] = in[42];
    first.store(1, release);
  } else if (cta == 1) {
    while (first.load(right ? acquire : relaxed) == 0) {
    }
    second.store(1, right ? release : relaxed);
  } else {
    while (second.load(acquire) == 0) {
    }
    out[1] = out[0];
  }
}

// A chain of atomic operations hands a release on, a store does not.
IDIOM(release_sequence, 3, 32, race_in_global) {
  if (t != 0) return;
  const Ref<device_scope> ready(flag[0]);
  if (cta == 0) {
    out[0] = in[42];
    ready.store(1, release);
  } else if (cta == 1) {
    while (ready.load(relaxed) == 0) {
    }
    if (right) ready.fetch_add(1, relaxed);
    if (!right) ready.store(2, relaxed);
  } else {
    while (ready.load(acquire) != 2) {
    }
    out[1] = out[0];
  }
}

IDIOM(last_by_acq_rel, 4, 32, race_in_global) {
  if (t != 0) return;
  out[cta] = in[cta];
  const auto order = right ? cuda::memory_order_acq_rel : relaxed;
  if (Ref<device_scope>(flag[0]).fetch_add(1, order) != 3) return;
  out[8] = out[0] + out[1] + out[2] + out[3];
}

RIGHT(compare_and_swap_loop, 4, 32) {
  unsigned old = flag[0], seen_before;
  do {
    seen_before = old;
    old = atomicCAS(flag, seen_before, seen_before + in[t]);
  } while (old != seen_before);
}

IDIOM(maximum_by_compare_and_swap, 4, 32, race_in_global) {
  const unsigned mine = in[32 * cta + t];
  if (!right && seen(flag) < mine) flag[0] = mine;
  unsigned old = right ? seen(flag) : mine;
  while (old < mine) old = atomicCAS(flag, old, mine);
}

IDIOM(spin_lock, 4, 32, race_in_global) {
  if (t != 0) return;
  while (atomicCAS(flag, 0u, 1u) != 0) {
  }
  if (right) __threadfence();
  out[0] += in[cta];
  if (right) __threadfence();
  atomicExch(flag, 0u);
}

IDIOM(lock_acquire_fence, 4, 32, race_in_global) {
  if (t != 0) return;
  while (atomicCAS(flag, 0u, 1u) != 0) {
  }
  if (right) __threadfence();
  out[0] += in[cta];
  __threadfence();
  atomicExch(flag, 0u);
}

IDIOM(lock_release_fence, 4, 32, race_in_global) {
  if (t != 0) return;
  while (atomicCAS(flag, 0u, 1u) != 0) {
  }
  __threadfence();
  out[0] += in[cta];
  if (right) __threadfence();
  atomicExch(flag, 0u);
}

IDIOM(unlock_is_atomic, 4, 32, race_in_global) {
  if (t != 0) return;
  while (atomicCAS(flag, 0u, 1u) != 0) {
  }
  __threadfence();
  out[0] += in[cta];
  __threadfence();
  if (right) atomicExch(flag, 0u);
  if (!right) flag[0] = 0;
}

IDIOM(lock_in_shared, 1, 128, race_in_shared) {
  __shared__ unsigned taken, sum;
  if (t == 0) taken = sum = 0;
  __syncthreads();
  if (t % 32 == 0) {
    while (atomicCAS(&taken, 0u, 1u) != 0) {
    }
    if (right) __threadfence_block();
    sum += in[t];
    if (right) __threadfence_block();
    atomicExch(&taken, 0u);
  }
  __syncthreads();
  if (t == 0) out[0] = sum;
}

IDIOM(lock_of_libcu, 4, 32, race_in_global) {
  if (t != 0) return;
  const Ref<device_scope> taken(flag[0]);
  while (taken.exchange(1, right ? acquire : relaxed) != 0) {
  }
  out[0] += in[cta];
  taken.store(0, release);
}

IDIOM(ticket_lock, 4, 32, race_in_global) {
  if (t != 0) return;
  const unsigned ticket = atomicAdd(&flag[0], 1u);
  while (seen(&flag[1]) != ticket) {
  }
  if (right) __threadfence();
  out[0] += in[cta];
  if (right) __threadfence();
  show(&flag[1], ticket + 1);
}

IDIOM(queue_of_slots, 2, 32, race_in_global) {
  const unsigned slot = atomicAdd(flag, 1u);
  out[slot] = in[t];
  if (!right) out[64 + slot] = out[slot ^ 32];
}

IDIOM(compaction, 2, 32, race_in_global) {
  if (in[32 * cta + t] % 3 != 0) return;
  out[right ? atomicAdd(flag, 1u) : t / 3] = in[32 * cta + t] + cta;
}

RIGHT(ctas_store_one_value, 4, 32) { flag[0] = 7; }

IDIOM(ctas_store_different_values, 4, 32, race_in_global) {
  if (t == 0) out[right ? cta : 0] = cta;
}

IDIOM(strong_accesses_of_one_size, 2, 32, race_in_global) {
  if (t != 0) return;
  auto* const bytes = reinterpret_cast<volatile unsigned char*>(flag);
  if (cta == 0) bytes[1] = 1;
  if (cta == 1) out[0] = right ? bytes[1] : seen(flag);
}

IDIOM(half_of_a_packed_word, 2, 32, race_in_global) {
  if (t != 0) return;
  if (cta == 0) atomicAdd(reinterpret_cast<unsigned long long*>(flag), 1ull << 32);
  if (cta == 1 && right) atomicAdd(reinterpret_cast<unsigned long long*>(flag), 5ull);
  if (cta == 1 && !right) flag[1] = 5;
}

IDIOM(histogram_is_merged, 2, 64, race_in_shared) {
  __shared__ unsigned bins[32];
  if (t < 32) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[in[64 * cta + t] * 3 % 32], 1u);
  if (right) __syncthreads();
  if (t < 32) atomicAdd(&out[t], bins[t]);
}

IDIOM(atomic_results_behind_a_barrier, 1, 64, race_in_global) {
  atomicMax(&out[t % 8], in[t]);
  if (right) __syncthreads();
  if (t < 8) out[t] = out[t] + 1;
}

IDIOM(scope_of_lock, 4, 32, race_in_global) {
  if (t != 0) return;
  while ((right ? atomicCAS(flag, 0u, 1u) : atomicCAS_block(flag, 0u, 1u)) != 0) {
  }
  __threadfence();
  out[0] += in[cta];
  __threadfence();
  right ? atomicExch(flag, 0u) : atomicExch_block(flag, 0u);
}

IDIOM(latch_of_libcu, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  using Latch = cuda::latch<block_scope>;
  __shared__ alignas(Latch) unsigned char memory[sizeof(Latch)];
  Latch& done = *reinterpret_cast<Latch*>(memory);
  if (t == 0) new (memory) Latch(64);
  __syncthreads();
  s[t] = in[t];
  if (right) done.arrive_and_wait();
  if (!right) done.count_down();
  out[t] = s[63 - t];
}
