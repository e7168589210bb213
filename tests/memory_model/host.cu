// The kernels of tests/cudart/program/host_order.cpp.
#include <cooperative_groups.h>

extern "C" __global__ void fill(int* to, int value) { to[threadIdx.x] = value; }

extern "C" __global__ void add(int* to, int value) { to[threadIdx.x] += value; }

extern "C" __global__ void copy(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }

// Each CTA reads what another has stored before the barrier.
extern "C" __global__ void exchange(int* to, bool of_grid) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned n = gridDim.x * blockDim.x;
  to[i] = i;
  if (of_grid) {
    cooperative_groups::this_grid().sync();
  } else {
    __syncthreads();
  }
  to[n + i] = to[n - 1 - i];
}

extern "C" __global__ void count(int* to, bool of_system) {
  if (of_system) {
    atomicAdd_system(to, 1);
  } else {
    atomicAdd(to, 1);
  }
}
