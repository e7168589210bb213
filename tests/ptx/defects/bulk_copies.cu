#include <cuda/ptx>

#include "agpusim/tests/ptx/defects/twins.cuh"

using namespace cuda::ptx;
using State = cuda::std::uint64_t;

namespace {

__device__ void announce(State* bar, unsigned bytes) {
  mbarrier_arrive_expect_tx(sem_release, scope_cta, space_shared, bar, bytes);
}
__device__ void wait(State* bar, unsigned parity) {
  while (!mbarrier_try_wait_parity(bar, parity)) {
  }
}

}  // namespace

// run: grid=2 block=64 shared=0 args=in:u32:512,out:u32:128:zeros
TWINS(bulk_not_waited_for, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ alignas(16) unsigned tile[256];
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) {
    mbarrier_init(&bar, 1);
    announce(&bar, 1024);
    const unsigned* from = in + 256 * blockIdx.x;
    cp_async_bulk(space_cluster, space_global, tile, from, 1024, &bar);
  }
  __syncthreads();
  if (mended) wait(&bar, 0);
  out[64 * blockIdx.x + t] = tile[4 * t];  // finding: missing_wait
}

// run: grid=1 block=64 shared=0 args=in:u32:256,out:u32:64:zeros
TWINS(wrong_bytes, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ alignas(16) unsigned tile[256];
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) {
    mbarrier_init(&bar, 1);
    announce(&bar, mended ? 1024 : 256);
    cp_async_bulk(space_cluster, space_global, tile, in, 1024, &bar);
  }
  __syncthreads();
  while (!mbarrier_try_wait_parity(&bar, 0)) {  // finding: deadlock
  }
  out[t] = tile[4 * t];
}

// run: grid=2 block=32 shared=0 args=in:u32:500,out:u32:64:zeros
TWINS(bulk_beyond_the_end, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ alignas(16) unsigned tile[256];
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) {
    const unsigned bytes = !mended || blockIdx.x == 0 ? 1024 : 976;
    mbarrier_init(&bar, 1);
    announce(&bar, bytes);
    const unsigned* from = in + 256 * blockIdx.x;
    cp_async_bulk(space_cluster, space_global, tile, from, bytes, &bar);  // finding: out_of_bounds
  }
  __syncwarp();
  wait(&bar, 0);
  out[32 * blockIdx.x + t] = tile[t];
}

// run: grid=1 block=32 shared=0 args=in:u32:256,out:u32:32:zeros
TWINS(bulk_misaligned, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ alignas(16) unsigned tile[256];
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) {
    mbarrier_init(&bar, 1);
    announce(&bar, 512);
    const unsigned* from = in + (mended ? 4 : 1);
    cp_async_bulk(space_cluster, space_global, tile, from, 512, &bar);  // finding: misaligned
  }
  __syncwarp();
  wait(&bar, 0);
  out[t] = tile[t];
}

// run: grid=1 block=64 shared=0 args=in:u32:1024,out:u32:64:zeros
TWINS(replaced_while_read, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ alignas(16) unsigned tile[256];
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) mbarrier_init(&bar, 1);
  __syncthreads();
  unsigned sum = 0;
  for (unsigned k = 0; k < 4; ++k) {
    if (t == 0) {
      announce(&bar, 1024);
      const unsigned* from = in + 256 * k;
      cp_async_bulk(space_cluster, space_global, tile, from, 1024, &bar);  // finding: shared_race
    }
    wait(&bar, k % 2);
    if (!mended) __syncthreads();
    sum += tile[4 * t + k];  // finding: shared_race
    if (mended) __syncthreads();
  }
  out[t] = sum;
}

// run: grid=1 block=32 shared=0 args=in:u32:256,out:u32:256:zeros
TWINS(replaced_while_stored, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ alignas(16) unsigned tile[64];
  const unsigned t = threadIdx.x;
  for (unsigned k = 0; k < 4; ++k) {
    for (unsigned i = t; i < 64; i += 32) tile[63 - i] = in[64 * k + i];  // finding: missing_wait
    fence_proxy_async(space_shared);
    __syncwarp();
    if (t == 0) {
      cp_async_bulk(space_global, space_shared, out + 64 * k, tile, 256);
      cp_async_bulk_commit_group();
      cp_async_bulk_wait_group_read(n32_t<(mended ? 0 : 1)>{});
    }
    __syncwarp();
  }
}
