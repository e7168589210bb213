#ifndef HOST

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

// A block copies its part, and each warp a row of its own.
// run: grid=2 block=64 shared=0 args=in:u32:512:random,out:u32:128:zeros
extern "C" __global__ void group_copy(const unsigned* in, unsigned* out) {
  namespace cg = cooperative_groups;
  __shared__ alignas(16) unsigned part[192];
  __shared__ alignas(16) unsigned rows[2][32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const unsigned t = threadIdx.x;
  const unsigned* mine = in + 256 * blockIdx.x;
  cg::memcpy_async(block, part, mine, sizeof(part));
  cg::memcpy_async(warp, rows[t / 32], mine + 192 + 32 * (t / 32),
                   cuda::aligned_size_t<16>(sizeof(rows[0])));
  cg::wait_prior<1>(block);
  const unsigned sum = part[191 - t] + 3 * part[t];
  cg::wait(warp);
  out[64 * blockIdx.x + t] = sum ^ rows[t / 32][31 - t % 32];
}

#else

void group_copy_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 128; ++i) {
    const unsigned t = i % 64;
    const unsigned* mine = in + 256 * (i / 64);
    out[i] = (mine[191 - t] + 3 * mine[t]) ^ mine[192 + 32 * (t / 32) + 31 - t % 32];
  }
}

#endif
