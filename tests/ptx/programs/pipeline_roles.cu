#ifndef HOST

#include <cooperative_groups.h>
#include <cuda/pipeline>

#pragma nv_diag_suppress static_var_with_dynamic_init

// Half of a block copies, the other half uses what was copied.
// run: grid=2 block=128 shared=0 args=in:u32:2048:random,out:u32:128:zeros
extern "C" __global__ void pipeline_roles(const unsigned* in, unsigned* out) {
  namespace cg = cooperative_groups;
  __shared__ alignas(16) unsigned tiles[4][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 4> state;
  const auto block = cg::this_thread_block();
  const unsigned t = threadIdx.x;
  const bool copies = t >= 64;
  auto pipe = cuda::make_pipeline(
      block, &state, copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  unsigned sum = 0;
  for (unsigned k = 0; k < 8; ++k) {
    if (copies) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tiles[k % 4][2 * (t - 64)],
                         in + 1024 * blockIdx.x + 128 * k + 2 * (t - 64),
                         cuda::aligned_size_t<8>(8), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum = 5 * sum + (tiles[k % 4][127 - t] ^ tiles[k % 4][t]);
      pipe.consumer_release();
    }
  }
  if (!copies) out[64 * blockIdx.x + t] = sum;
}

#else

void pipeline_roles_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 128; ++i) {
    for (unsigned k = 0; k < 8; ++k) {
      const unsigned* tile = in + 1024 * (i / 64) + 128 * k;
      out[i] = 5 * out[i] + (tile[127 - i % 64] ^ tile[i % 64]);
    }
  }
}

#endif
