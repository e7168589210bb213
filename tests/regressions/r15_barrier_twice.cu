// NVIDIA/cccl#9445: redundant sync.
#include "agpusim/tests/regressions/pair.cuh"
__device__ void init(int* bins) {
  for (int b = threadIdx.x; b < 256; b += blockDim.x) bins[b] = 0;
  __syncthreads();
}
__global__ void radix_histogram(const unsigned* keys, int* out, int items) {
  __shared__ int bins[256];
  init(bins);
#if AFTER
  __syncthreads();  // again
#endif
  for (int i = 0; i < items; ++i)
    atomicAdd(bins + keys[(blockIdx.x * items + i) * blockDim.x + threadIdx.x] % 256, 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(out + b, bins[b]);
}
int main() {
  int* out = device_array<int>(256, 1);
  radix_histogram<<<64, 128>>>(device_array<unsigned>(64 * 128 * 8, 1 << 16), out, 8);
  result(out, 256);
}
