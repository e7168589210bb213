#include <cuda_pipeline.h>
#include <type_traits>

#include "agpusim/tests/ptx/defects/twins.cuh"

// run: grid=2 block=128 shared=0 args=in:u32:256,out:u32:2:zeros
TWINS(reduce_without_barrier, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned sums[128];
  const unsigned t = threadIdx.x;
  sums[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (unsigned k = 64; k > 0; k /= 2) {
    if (t < k) sums[t] += sums[t + k];  // finding: shared_race
    if (mended) __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}

// run: grid=2x2 block=16x16 shared=0 args=a:f32:1024,b:f32:1024,c:f32:1024:zeros,32
TWINS(matmul_second_barrier, (const float* a, const float* b, float* c, unsigned n), (a, b, c, n)) {
  __shared__ float left[16][16];
  __shared__ float right[16][16];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0.0f;
  for (unsigned k = 0; k < n; k += 16) {
    left[y][x] = a[row * n + k + x];        // finding: shared_race
    right[y][x] = b[(k + y) * n + column];  // finding: shared_race
    __syncthreads();
    for (unsigned j = 0; j < 16; ++j) sum += left[y][j] * right[j][x];  // finding: shared_race
    if (mended) __syncthreads();
  }
  c[row * n + column] = sum;
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
TWINS(warp_exchange, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned slots[64];
  const unsigned t = threadIdx.x;
  slots[t] = in[t];  // finding: shared_race
  if (mended) __syncwarp();
  out[t] = slots[t ^ 1];  // finding: shared_race
}

// run: grid=2 block=128 shared=0 args=in:u32:256,out:u32:2:zeros
TWINS(warp_sums, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned sums[4];
  const unsigned t = threadIdx.x;
  unsigned sum = in[blockIdx.x * 128 + t];
  for (unsigned k = 16; k > 0; k /= 2) sum += __shfl_down_sync(0xffffffffu, sum, k);
  if (t % 32 == 0) sums[t / 32] = sum;  // finding: shared_race
  mended ? __syncthreads() : __syncwarp();
  if (t == 0) out[blockIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];  // finding: shared_race
}

// run: grid=1 block=128 shared=0 args=in:u32:64,out:u32:64:zeros
TWINS(barrier_of_half, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned slots[64];
  const unsigned t = threadIdx.x;
  if (t < 64) slots[t] = in[t];  // finding: shared_race
  if (mended) asm volatile("bar.sync 1, 128;" ::: "memory");
  if (!mended) asm volatile("bar.sync %0, 64;" ::"r"(1 + t / 64) : "memory");
  if (t >= 64) out[t - 64] = slots[127 - t];  // finding: shared_race
}

// run: grid=1 block=128 shared=0 args=in:u32:128,bins:u32:32:zeros
TWINS(histogram_plain, (const unsigned* in, unsigned* bins), (in, bins)) {
  __shared__ unsigned counts[32];
  const unsigned t = threadIdx.x;
  if (t < 32) counts[t] = 0;
  __syncthreads();
  if (mended) atomicAdd(&counts[in[t] % 32], 1u);
  if (!mended) counts[in[t] % 32] += 1;  // finding: shared_race
  __syncthreads();
  if (t < 32) bins[t] = counts[t];
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
TWINS(scan_one_buffer, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned sums[64];
  const unsigned t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  for (unsigned k = 1; k < 64; k *= 2) {
    const unsigned left = t >= k ? sums[t - k] : 0;  // finding: shared_race
    if (mended) __syncthreads();
    sums[t] += left;  // finding: shared_race
    __syncthreads();
  }
  out[t] = sums[t];
}

// run: grid=2x2 block=16x16 shared=0 args=in:u32:1024,out:u32:1024:zeros,32
TWINS(transpose_tile, (const unsigned* in, unsigned* out, unsigned n), (in, out, n)) {
  __shared__ unsigned tile[16][17];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x];  // finding: shared_race
  if (mended) __syncthreads();
  out[(blockIdx.x * 16 + y) * n + blockIdx.y * 16 + x] = tile[x][y];  // finding: shared_race
}

// run: grid=2 block=64 shared=0 args=in:u32:256,next:u32:1:zeros,out:u32:256:zeros,256
TWINS(queue_base, (const unsigned* in, unsigned* next, unsigned* out, unsigned n),
      (in, next, out, n)) {
  __shared__ unsigned base;
  const unsigned t = threadIdx.x;
  for (;;) {
    if (t == 0) base = atomicAdd(next, 64u);  // finding: shared_race
    __syncthreads();
    const unsigned i = base + t;  // finding: shared_race
    if (mended) __syncthreads();
    if (i >= n) break;
    out[i] = in[i] * in[i];
  }
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:1:zeros
TWINS(warp_synchronous_tail, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned sums[64];
  const unsigned t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  if (t < 32) {
    using Word = std::conditional_t<mended, volatile unsigned, unsigned>;
    Word* tail = sums;
    unsigned sum = tail[t];
    for (unsigned k = 32; k > 0; k /= 2) {
      sum += tail[t + k];  // finding: shared_race
      if (mended) __syncwarp();
      tail[t] = sum;  // finding: shared_race
      if (mended) __syncwarp();
    }
    if (t == 0) out[0] = sum;
  }
}

// run: grid=1 block=64 shared=0 args=in:u32:256,out:u32:64:zeros
TWINS(ring_overwrite, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned ring[2][64];
  const unsigned t = threadIdx.x;
  unsigned sum = 0;
  for (unsigned k = 0; k < 4; ++k) {
    ring[mended ? k % 2 : 0][t] = in[64 * k + t];  // finding: shared_race
    __syncthreads();
    sum += ring[mended ? k % 2 : 0][63 - t];  // finding: shared_race
  }
  out[t] = sum;
}

// run: grid=1 block=64 shared=0 args=in:u32:256,out:u32:64:zeros
TWINS(async_overwrite, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned stage[64];
  const unsigned t = threadIdx.x;
  unsigned sum = 0;
  for (unsigned k = 0; k < 4; ++k) {
    __pipeline_memcpy_async(&stage[t], in + 64 * k + t, 4);  // finding: shared_race
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += stage[63 - t];  // finding: shared_race
    if (mended) __syncthreads();
  }
  out[t] = sum;
}
