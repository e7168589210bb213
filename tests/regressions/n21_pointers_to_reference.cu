// NVIDIA/cccl#6196: array of pointers to reference.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
template <class Counters>
__device__ __forceinline__ void accumulate(const int* pixel, Counters& histograms) {
#else
__device__ __forceinline__ void accumulate(const int* pixel, int* histograms[2]) {
#endif
#pragma unroll
  for (int ch = 0; ch < 2; ++ch) atomicAdd(histograms[ch] + pixel[ch], 1);
}
__global__ void histogram_agent(const int* pixels, int* out) {
  __shared__ int storage[2][64];
  if (threadIdx.x < 128) storage[threadIdx.x / 64][threadIdx.x % 64] = 0;
  __syncthreads();
  const int* pixel = pixels + 2 * (blockIdx.x * blockDim.x + threadIdx.x);
#if AFTER
  accumulate(pixel, storage);
#else
  int* histograms[2];
  for (int ch = 0; ch < 2; ++ch) histograms[ch] = storage[ch];
  accumulate(pixel, histograms);
#endif
  __syncthreads();
  if (threadIdx.x < 128) atomicAdd(out + threadIdx.x, storage[threadIdx.x / 64][threadIdx.x % 64]);
}
int main() {
  int* out = device_array<int>(128, 1);
  histogram_agent<<<64, 256>>>(device_array<int>(1 << 15), out);
  result(out, 128);
}
