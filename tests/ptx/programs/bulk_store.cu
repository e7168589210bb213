#ifndef HOST

#include <cuda/ptx>

// Each warp turns its tiles round and stores them as a whole, two at a time.
// run: grid=2 block=64 shared=0 args=in:u32:4096:random,out:u32:4096:zeros
extern "C" __global__ void bulk_store(const unsigned* in, unsigned* out) {
  namespace ptx = cuda::ptx;
  __shared__ alignas(16) unsigned tiles[2][2][128];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned first = 2048 * blockIdx.x + 1024 * warp;
  for (unsigned k = 0; k < 8; ++k) {
    unsigned* tile = tiles[warp][k % 2];
    if (lane == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>{});
    __syncwarp();
    for (unsigned i = lane; i < 128; i += 32) tile[127 - i] = 3 * in[first + 128 * k + i];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncwarp();
    if (lane == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + first + 128 * k, tile, 512);
      ptx::cp_async_bulk_commit_group();
    }
  }
  if (lane == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
}

#else

void bulk_store_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 4096; ++i) out[i / 128 * 128 + 127 - i % 128] = 3 * in[i];
}

#endif
