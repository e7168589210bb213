#include "agpusim/tests/ptx/defects/twins.cuh"

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
TWINS(barrier_in_branch, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned slots[64];
  const unsigned t = threadIdx.x;
  slots[t] = in[t];
  unsigned value = in[t];
  if (mended) __syncthreads();
  if (t < 48) {
    if (!mended) __syncthreads();  // finding: divergent_barrier
    value = slots[47 - t];
  }
  out[t] = value;
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
TWINS(barrier_on_two_ways, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned slots[64];
  const unsigned t = threadIdx.x;
  unsigned value = in[t];
  if (t % 2 == 0) {
    slots[t] = value;
    if (!mended) __syncthreads();  // finding: divergent_barrier
    if (!mended) value += slots[t + 1];
  } else {
    slots[t] = 3 * value;
    if (!mended) __syncthreads();  // finding: divergent_barrier
    if (!mended) value -= slots[t - 1];
  }
  if (mended) {
    __syncthreads();
    value = t % 2 == 0 ? value + slots[t + 1] : value - slots[t - 1];
  }
  out[t] = value;
}

// run: grid=1 block=64 shared=0 args=in:u32:80,out:u32:64:zeros,80
TWINS(barrier_in_lane_loop, (const unsigned* in, unsigned* out, unsigned n), (in, out, n)) {
  __shared__ unsigned slots[64];
  const unsigned t = threadIdx.x;
  slots[t] = 0;
  __syncthreads();
  unsigned sum = 0;
  for (unsigned base = 0; mended ? base < n : base + t < n; base += 64) {
    slots[t] = !mended || base + t < n ? in[base + t] : 0;
    __syncthreads();  // finding: divergent_barrier
    sum += slots[t ^ 1];
    __syncthreads();  // finding: divergent_barrier
  }
  out[t] = sum;
}

// run: grid=1 block=64 shared=0 args=in:u32:50,out:u32:64:zeros,50
TWINS(count_in_branch, (const unsigned* in, unsigned* out, unsigned n), (in, out, n)) {
  const unsigned t = threadIdx.x;
  int odd = 0;
  if (mended || t < n)
    odd = __syncthreads_count((!mended || t < n) && (in[t] & 1));  // finding: divergent_barrier
  out[t] = odd;
}

// run: grid=1 block=64 shared=0 args=in:u32:256,out:u32:64:zeros
TWINS(barrier_behind_break, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned slots[64];
  const unsigned t = threadIdx.x;
  unsigned sum = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned value = in[64 * k + t];
    const bool is_last = value % 64 == 9 * k + 5;
    if (!mended && is_last) break;
    if (is_last) sum += 1;
    slots[t] = value;
    __syncthreads();  // finding: divergent_barrier
    sum += slots[63 - t];
    __syncthreads();  // finding: divergent_barrier
  }
  out[t] = sum;
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
extern "C" __global__ void barrier_of_each_warp_defect(const unsigned* in, unsigned* out) {
  __shared__ unsigned slots[64];
  const unsigned t = threadIdx.x;
  slots[t] = in[t];
  if (t < 32) {
    __syncthreads();
    out[t] = slots[63 - t];
  } else {
    __syncthreads();  // finding: parted_barrier
    out[t] = slots[63 - t] + 1;
  }
}

// run: grid=1 block=96 shared=0 args=in:u32:96,out:u32:64:zeros
extern "C" __global__ void barrier_of_each_warp_mended(const unsigned* in, unsigned* out) {
  __shared__ unsigned slots[64];
  const unsigned t = threadIdx.x;
  if (t >= 64) return;  // before a barrier without a count, this is legal
  slots[t] = in[t];
  __syncthreads();
  if (t < 32) {
    slots[t] += slots[t + 32];
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = slots[t + 32];
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");  // so are warps at two places of a named one
    out[t] = slots[t - 32] + 1;
  }
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros,48
TWINS(barrier_of_half_a_warp, (const unsigned* in, unsigned* out, unsigned n), (in, out, n)) {
  __shared__ unsigned slots[64];
  const unsigned t = threadIdx.x;
  if (!mended && t >= n) return;
  if (t < n) slots[t] = in[t];
  const unsigned threads = mended ? (n + 31) / 32 * 32 : n;
  asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");  // finding: barrier_count
  if (t < n) out[t] = slots[n - 1 - t];
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:32:zeros,40
// mended: grid=1 block=64 shared=0 args=in:u32:64,out:u32:32:zeros,64
TWINS(arrival_of_a_part, (const unsigned* in, unsigned* out, unsigned n), (in, out, n)) {
  __shared__ unsigned slots[32];
  const unsigned t = threadIdx.x;
  if (t < 32) {
    slots[t] = in[t];
    asm volatile("bar.arrive 2, %0;" ::"r"(n) : "memory");  // finding: barrier_count
  } else {
    asm volatile("bar.sync 2, %0;" ::"r"(n) : "memory");  // finding: barrier_count
    out[t - 32] = slots[63 - t];
  }
}

// Figure 4 of Kozakai 2022 (theory H13): threads around the barrier only end, which is no finding.
// run: grid=2 block=64 shared=0 args=0,128,a:s32:128,prefix:s32:128,c:s32:129:zeros,ic:s32:129:zeros
extern "C" __global__ void barrier_beside_ends(int minVal, int maxVal, const int* A,
                                               const int* A01p, int* C, int* iC) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= maxVal - minVal) return;
  if (A[i]) {
    const int x = A01p[i];
    const int y = A[i];
    __syncthreads();
    C[x] = y;
    iC[x] = minVal + i;
  }
}
