#ifndef HOST

#include <cooperative_groups.h>
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init

// One copy of all threads, by the bulk unit.
// run: grid=4 block=64 shared=0 args=in:u32:4096:random,out:u32:256:zeros
extern "C" __global__ void barrier_bulk(const unsigned* in, unsigned* out) {
  __shared__ alignas(16) unsigned tile[512];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  const auto block = cooperative_groups::this_thread_block();
  const unsigned t = threadIdx.x;
  if (t == 0) init(&bar, 64);
  block.sync();
  unsigned sum = 0;
  for (unsigned k = 0; k < 2; ++k) {
    cuda::memcpy_async(block, tile, in + 1024 * blockIdx.x + 512 * k,
                       cuda::aligned_size_t<16>(2048), bar);
    auto token = bar.arrive();
    bar.wait(std::move(token));
    for (unsigned i = 0; i < 8; ++i) sum += (i + 1) * tile[511 - 64 * i - t];
    block.sync();
  }
  out[64 * blockIdx.x + t] = sum;
}

#else

void barrier_bulk_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 256; ++i) {
    for (unsigned k = 0; k < 16; ++k)
      out[i] += (k % 8 + 1) * in[1024 * (i / 64) + 512 * (k / 8) + 511 - 64 * (k % 8) - i % 64];
  }
}

#endif
