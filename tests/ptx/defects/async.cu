#include <cuda_pipeline.h>

#include "agpusim/tests/ptx/defects/twins.cuh"

// run: grid=2 block=64 shared=0 args=in:u32:128,out:u32:128:zeros
TWINS(copy_without_wait, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned stage[64];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * 64 + t;
  __pipeline_memcpy_async(&stage[t], in + i, 4);
  __pipeline_commit();
  if (mended) __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = stage[63 - t];  // finding: missing_wait
}

// run: grid=1 block=64 shared=0 args=in:u32:256,out:u32:64:zeros
TWINS(wait_too_weak, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned stages[2][64];
  const unsigned t = threadIdx.x;
  unsigned sum = 0;
  __pipeline_memcpy_async(&stages[0][t], in + t, 4);
  __pipeline_commit();
  for (unsigned k = 0; k < 4; ++k) {
    if (k < 3) __pipeline_memcpy_async(&stages[(k + 1) % 2][t], in + 64 * (k + 1) + t, 4);
    if (mended || k < 3) __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += stages[k % 2][63 - t];  // finding: missing_wait
    __syncthreads();
  }
  out[t] = sum;
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
TWINS(wait_without_barrier, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned stage[64];
  const unsigned t = threadIdx.x;
  __pipeline_memcpy_async(&stage[t], in + t, 4);  // finding: shared_race
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (mended) __syncthreads();
  out[t] = stage[63 - t];  // finding: shared_race
}

// run: grid=1 block=32 shared=0 args=in:f32:128,out:f32:32:zeros
TWINS(group_left_open, (const float4* in, float* out), (in, out)) {
  __shared__ float4 stage[32];
  const unsigned t = threadIdx.x;
  const unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(&stage[t]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(target), "l"(in + t) : "memory");
  if (mended) asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  out[t] = stage[t].x + stage[t].w;  // finding: missing_wait
}

// run: grid=1 block=32 shared=0 args=in:f32:256,out:f32:32:zeros
TWINS(own_copy_without_wait, (const float4* in, float* out), (in, out)) {
  __shared__ float4 stages[2][32];
  const unsigned t = threadIdx.x;
  for (unsigned k = 0; k < 2; ++k) {
    const unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(&stages[k][t]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(in + 32 * k + t)
                 : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  asm volatile("cp.async.wait_group %0;" ::"n"(mended ? 0 : 1) : "memory");
  out[t] = stages[0][t].y + stages[1][t].z;  // finding: missing_wait
}
