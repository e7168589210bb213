#ifndef HOST

#include <cuda/ptx>

// Warp 0 copies tiles into a ring of two; the others use them, and say when they may be replaced.
// run: grid=3 block=160 shared=0 args=in:u32:6144:random,out:u32:384:zeros
extern "C" __global__ void mbarrier_ring(const unsigned* in, unsigned* out) {
  namespace ptx = cuda::ptx;
  __shared__ alignas(128) unsigned tiles[2][256];
  __shared__ cuda::std::uint64_t full[2];
  __shared__ cuda::std::uint64_t empty[2];
  const unsigned t = threadIdx.x;
  if (t == 0) {
    for (unsigned s = 0; s < 2; ++s) {
      ptx::mbarrier_init(&full[s], 1);
      ptx::mbarrier_init(&empty[s], 128);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (t < 32) {
    for (unsigned k = 0; k < 8; ++k) {
      const unsigned s = k % 2;
      while (!ptx::mbarrier_try_wait_parity(&empty[s], (k / 2 + 1) % 2)) {
      }
      if (t == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &full[s], 1024);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tiles[s],
                           in + 2048 * blockIdx.x + 256 * k, 1024, &full[s]);
      }
      __syncwarp();
    }
  } else {
    const unsigned mine = t - 32;
    unsigned sum = 0;
    for (unsigned k = 0; k < 8; ++k) {
      const unsigned s = k % 2;
      while (!ptx::mbarrier_try_wait_parity(&full[s], k / 2 % 2)) {
      }
      sum = 17 * sum + tiles[s][255 - mine] - tiles[s][mine];
      ptx::mbarrier_arrive(&empty[s]);
    }
    out[128 * blockIdx.x + mine] = sum;
  }
}

#else

void mbarrier_ring_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 384; ++i) {
    for (unsigned k = 0; k < 8; ++k) {
      const unsigned* tile = in + 2048 * (i / 128) + 256 * k;
      out[i] = 17 * out[i] + tile[255 - i % 128] - tile[i % 128];
    }
  }
}

#endif
