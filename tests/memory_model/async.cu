// Copies that run on their own, and the barriers and pipelines that end them.
#include <cuda_pipeline.h>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

#include "agpusim/tests/memory_model/idiom.cuh"

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using State = cuda::std::uint64_t;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ __forceinline__ void copy_word(unsigned* to, const unsigned* from) {
  __pipeline_memcpy_async(to, from, 4);
  __pipeline_commit();
}
__device__ __forceinline__ void wait(State* bar, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
  }
}
__device__ __forceinline__ void announce(State* bar, unsigned bytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, bytes);
}

IDIOM(wait_group_of_own_copy, 1, 64, wait) {
  __shared__ unsigned s[64];
  copy_word(&s[t], in + t);
  if (right) __pipeline_wait_prior(0);
  out[t] = s[t];
}

IDIOM(wait_group_then_barrier, 1, 64, race_in_shared_or_wait) {
  __shared__ unsigned s[64];
  copy_word(&s[t], in + t);
  __pipeline_wait_prior(0);
  if (right) __syncthreads();
  out[t] = s[63 - t];
}

IDIOM(barrier_is_no_wait_group, 1, 64, wait) {
  __shared__ unsigned s[64];
  copy_word(&s[t], in + t);
  if (right) __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = s[63 - t];
}

IDIOM(wait_group_of_older_copies, 1, 64, wait) {
  __shared__ unsigned s[2][64];
  copy_word(&s[0][t], in + t);
  copy_word(&s[1][t], in + 64 + t);
  __pipeline_wait_prior(1);
  __syncthreads();
  out[t] = s[right ? 0 : 1][63 - t];
}

IDIOM(stage_is_reused, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  for (unsigned k = 0; k < 3; ++k) {
    copy_word(&s[t], in + 64 * k + t);
    __pipeline_wait_prior(0);
    __syncthreads();
    out[64 * k + t] = s[63 - t];
    if (right) __syncthreads();
  }
}

IDIOM(mbarrier_wait, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  __shared__ State bar;
  if (t == 0) ptx::mbarrier_init(&bar, 64);
  __syncthreads();
  s[t] = in[t];
  const State state = ptx::mbarrier_arrive(&bar);
  while (right && !ptx::mbarrier_try_wait(&bar, state)) {
  }
  out[t] = s[63 - t];
}

IDIOM(mbarrier_orders_global, 1, 64, race_in_global) {
  __shared__ State bar;
  if (t == 0) ptx::mbarrier_init(&bar, 64);
  __syncthreads();
  out[t] = in[t];
  ptx::mbarrier_arrive(&bar);
  if (right) wait(&bar, 0);
  out[64 + t] = out[63 - t];
}

IDIOM(mbarrier_initialised, 1, 64, race_in_shared_or_mbarrier) {
  __shared__ State bar;
  if (t == 0) ptx::mbarrier_init(&bar, 64);
  if (right) __syncthreads();
  ptx::mbarrier_arrive(&bar);
  wait(&bar, 0);
  out[t] = in[t];
}

IDIOM(mbarrier_parity, 1, 64, race_in_shared_or_deadlock) {
  __shared__ unsigned s[64];
  __shared__ State bar;
  if (t == 0) ptx::mbarrier_init(&bar, 64);
  __syncthreads();
  s[t] = in[t];
  ptx::mbarrier_arrive(&bar);
  wait(&bar, right ? 0 : 1);
  out[t] = s[63 - t];
}

IDIOM(mbarrier_count, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  __shared__ State bar;
  if (t == 0) ptx::mbarrier_init(&bar, right ? 64 : 32);
  __syncthreads();
  s[t] = in[t];
  const State state = ptx::mbarrier_arrive(&bar);
  while (!ptx::mbarrier_try_wait(&bar, state)) {
  }
  out[t] = s[63 - t];
}

IDIOM(one_lane_arrives, 1, 64, race_in_shared) {
  __shared__ unsigned s[32];
  __shared__ State bar;
  if (t == 0) ptx::mbarrier_init(&bar, 1);
  __syncthreads();
  if (t < 32) {
    s[t] = in[t];
    if (right) __syncwarp();
    if (t == 0) ptx::mbarrier_arrive(&bar);
  } else {
    wait(&bar, 0);
    out[t] = s[63 - t];
  }
}

IDIOM(one_lane_waits, 1, 64, race_in_shared) {
  __shared__ unsigned s[32];
  __shared__ State bar;
  if (t == 0) ptx::mbarrier_init(&bar, 32);
  __syncthreads();
  if (t < 32) {
    s[t] = in[t];
    ptx::mbarrier_arrive(&bar);
  } else {
    if (t == 32) wait(&bar, 0);
    if (right) __syncwarp();
    out[t] = s[63 - t];
  }
}

IDIOM(full_and_empty_mbarriers, 1, 64, race_in_shared) {
  __shared__ unsigned s[32];
  __shared__ State full, empty;
  if (t == 0) ptx::mbarrier_init(&full, 32);
  if (t == 0) ptx::mbarrier_init(&empty, 32);
  __syncthreads();
  for (unsigned k = 0; k < 3; ++k) {
    if (t < 32) {
      if (right && k > 0) wait(&empty, (k - 1) % 2);
      s[t] = in[32 * k + t];
      if (!right && k > 0) wait(&empty, (k - 1) % 2);
      ptx::mbarrier_arrive(&full);
    } else {
      wait(&full, k % 2);
      out[32 * k + t] = s[63 - t];
      ptx::mbarrier_arrive(&empty);
    }
  }
}

IDIOM(copies_arrive_at_mbarrier, 1, 64, wait_or_race_in_shared) {
  __shared__ unsigned s[64];
  __shared__ State bar;
  if (t == 0) ptx::mbarrier_init(&bar, 64);
  __syncthreads();
  copy_word(&s[t], in + t);
  if (right) {  // the function of cuda::ptx takes the address for a generic one
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&bar));
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
  }
  if (!right) ptx::mbarrier_arrive(&bar);
  wait(&bar, 0);
  out[t] = s[63 - t];
}

IDIOM(bulk_copy_is_waited_for, 1, 64, wait_or_race_in_shared) {
  __shared__ alignas(16) unsigned tile[256];
  __shared__ State bar;
  if (t == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (t == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, 1024, &bar);
    announce(&bar, 1024);
  }
  if (right) wait(&bar, 0);
  if (!right) __syncthreads();
  out[t] = tile[4 * t];
}

IDIOM(bulk_copy_overwrites, 1, 64, race_in_shared_or_wait) {
  __shared__ alignas(16) unsigned tile[64];
  __shared__ State bar;
  if (t == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  for (unsigned k = 0; k < 2; ++k) {
    if (t == 0) {
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + 64 * k, 256, &bar);
      announce(&bar, 256);
    }
    wait(&bar, k);
    out[64 * k + t] = tile[63 - t];
    ptx::fence_proxy_async(ptx::space_shared);
    if (right) __syncthreads();
  }
}

IDIOM(bulk_store_of_shared, 1, 64, race_or_wait) {
  __shared__ alignas(16) unsigned tile[64];
  tile[t] = in[t];
  ptx::fence_proxy_async(ptx::space_shared);
  if (right) __syncthreads();
  if (t == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, 256);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }
}

IDIOM(bulk_store_needs_proxy_fence, 1, 64, race_or_wait_or_proxy) {
  __shared__ alignas(16) unsigned tile[64];
  tile[t] = in[t];
  if (right) ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (t == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, 256);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }
}

IDIOM(bulk_store_source_reused, 1, 32, race_or_wait) {
  __shared__ alignas(16) unsigned tile[32];
  for (unsigned k = 0; k < 2; ++k) {
    tile[t] = in[32 * k + t];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncwarp();
    if (t == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 32 * k, tile, 128);
      ptx::cp_async_bulk_commit_group();
      if (right) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
    }
    __syncwarp();
  }
  if (t == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

IDIOM(barrier_arrive_and_wait, 1, 64, race_in_shared) {
  __shared__ unsigned s[64];
  __shared__ Barrier bar;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  s[t] = in[t];
  if (right) bar.arrive_and_wait();
  if (!right) (void)bar.arrive();
  out[t] = s[63 - t];
}

IDIOM(barrier_wait_of_token, 1, 64, race_in_global) {
  __shared__ Barrier bar;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  out[t] = in[t];
  auto token = bar.arrive();
  const unsigned before = right ? 0 : out[63 - t];
  bar.wait(cuda::std::move(token));
  out[64 + t] = right ? out[63 - t] : before;
}

IDIOM(barrier_of_a_copy, 1, 64, wait_or_race_in_shared) {
  __shared__ alignas(16) unsigned s[64];
  __shared__ Barrier bar;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  cuda::memcpy_async(&s[t], in + t, cuda::aligned_size_t<4>(4), bar);
  if (right) bar.arrive_and_wait();
  if (!right) __syncthreads();
  out[t] = s[63 - t];
}

IDIOM(pipeline_of_a_thread, 1, 64, wait) {
  __shared__ unsigned s[64];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[t], in + t, cuda::aligned_size_t<4>(4), pipe);
  pipe.producer_commit();
  if (right) pipe.consumer_wait();
  __syncthreads();
  out[t] = s[63 - t];
  pipe.consumer_release();
}

IDIOM(pipeline_of_a_block, 1, 64, wait_or_race_in_shared) {
  __shared__ unsigned s[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
  for (unsigned k = 0; k < 3; ++k) {
    pipe.producer_acquire();
    cuda::memcpy_async(&s[k % 2][t], in + 64 * k + t, cuda::aligned_size_t<4>(4), pipe);
    pipe.producer_commit();
    if (right) pipe.consumer_wait();
    out[64 * k + t] = s[k % 2][63 - t];
    if (!right) pipe.consumer_wait();
    pipe.consumer_release();
  }
}

IDIOM(copy_of_a_group, 1, 64, wait_or_race_in_shared) {
  __shared__ alignas(16) unsigned s[64];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof s);
  if (right) cg::wait(block);
  if (!right) block.sync();
  out[t] = s[63 - t];
}
