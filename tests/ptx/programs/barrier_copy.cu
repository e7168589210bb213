#ifndef HOST

#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init

// The next tile is copied while the one before is used.
// run: grid=2 block=128 shared=0 args=in:u32:4096:random,out:u32:256:zeros
extern "C" __global__ void barrier_copy(const unsigned* in, unsigned* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(16) unsigned tiles[2][256];
  __shared__ Barrier bars[2];
  const unsigned t = threadIdx.x;
  const unsigned* mine = in + 2048 * blockIdx.x;
  if (t < 2) init(&bars[t], 128);
  __syncthreads();
  const auto copy = [&](unsigned k) {
    cuda::memcpy_async(&tiles[k % 2][2 * t], mine + 256 * k + 2 * t, cuda::aligned_size_t<8>(8),
                       bars[k % 2]);
  };
  copy(0);
  unsigned sum = 0;
  for (unsigned k = 0; k < 8; ++k) {
    if (k < 7) copy(k + 1);
    bars[k % 2].arrive_and_wait();
    sum = 31 * sum + tiles[k % 2][255 - t] * tiles[k % 2][t];
    __syncthreads();
  }
  out[128 * blockIdx.x + t] = sum;
}

#else

void barrier_copy_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 256; ++i) {
    for (unsigned k = 0; k < 8; ++k) {
      const unsigned* tile = in + 2048 * (i / 128) + 256 * k;
      out[i] = 31 * out[i] + tile[255 - i % 128] * tile[i % 128];
    }
  }
}

#endif
