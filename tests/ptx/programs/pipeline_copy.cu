#ifndef HOST

#include <cuda_pipeline.h>

// run: grid=2 block=64 shared=0 args=in:u32:4096:random,out:u32:128:zeros
extern "C" __global__ void pipeline_copy(const uint4* in, unsigned* out) {
  __shared__ uint4 stages[2][64];
  const unsigned t = threadIdx.x;
  const uint4* tile = in + 512 * blockIdx.x;
  unsigned sum = 0;
  __pipeline_memcpy_async(&stages[0][t], tile + t, 16);
  __pipeline_commit();
  for (unsigned k = 0; k < 8; ++k) {
    if (k < 7) __pipeline_memcpy_async(&stages[(k + 1) % 2][t], tile + 64 * (k + 1) + t, 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const uint4 v = stages[k % 2][63 - t];
    sum = 17 * sum + v.x - v.y + (v.z ^ v.w);
    __syncthreads();
  }
  out[64 * blockIdx.x + t] = sum;
}

#else

void pipeline_copy_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 128; ++i) {
    for (unsigned k = 0; k < 8; ++k) {
      const unsigned* v = in + 4 * (512 * (i / 64) + 64 * k + 63 - i % 64);
      out[i] = 17 * out[i] + v[0] - v[1] + (v[2] ^ v[3]);
    }
  }
}

#endif
