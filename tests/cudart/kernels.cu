// The kernels of the programs in tests/cudart/program.
#include <cooperative_groups.h>

__constant__ float factors[4];
__device__ int calls = 7;
__managed__ int doubled = 3;

extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void scale(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factors[i % 4];
  if (i == 0) {
    calls += 1;
    doubled *= 2;
  }
}

// Adds what another CTA has left before the barrier of the grid.
extern "C" __global__ void reverse(int* a, int n) {
  const auto grid = cooperative_groups::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  if (i < n) a[i] = i;
  grid.sync();
  if (i < n) a[n + i] = a[n - 1 - i];
}

extern "C" __global__ void sum(const int* in, int* out, int n) {
  extern __shared__ int partial[];
  const int t = threadIdx.x;
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) mine += in[i];
  partial[t] = mine;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, partial[0]);
}

extern "C" __global__ void far_away(int* a) { a[1 << 24] = 1; }

extern "C" __global__ void race(int* a) { a[0] = threadIdx.x; }

extern "C" __global__ void refused(int* a) {
  asm volatile("discard.global.L2 [%0], 128;" ::"l"(a));
}
