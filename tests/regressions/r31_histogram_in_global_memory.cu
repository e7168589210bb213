// dmlc/xgboost#3384: atomic contention.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void build_histogram(const unsigned* bins, int* out, int items) {
#if !AFTER
  __shared__ int s[64];
  if (threadIdx.x < 64) s[threadIdx.x] = 0;
  __syncthreads();
#endif
  for (int k = 0; k < items; ++k) {
    const unsigned bin = bins[(blockIdx.x * items + k) * blockDim.x + threadIdx.x];
#if AFTER
    atomicAdd(out + bin, 1);
#else
    atomicAdd(s + bin, 1);
#endif
  }
#if !AFTER
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(out + threadIdx.x, s[threadIdx.x]);
#endif
}
int main() {
  int* out = device_array<int>(64, 1);
  build_histogram<<<32, 128>>>(device_array<unsigned>(32 * 128 * 16), out, 16);
  result(out, 64);
}
