// vllm-project/vllm#7233: own function to library.
#include <cub/block/block_reduce.cuh>

#include "agpusim/tests/regressions/pair.cuh"
__device__ float block_sum(float x) {
  __shared__ float s[32];
  for (int k = 16; k; k /= 2) x += __shfl_xor_sync(~0u, x, k);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = x;
  __syncthreads();
  x = threadIdx.x < blockDim.x / 32 ? s[threadIdx.x % 32] : 0;
  for (int k = 16; k; k /= 2) x += __shfl_xor_sync(~0u, x, k);
  return x;
}
__global__ void rms_norm(const float* in, float* out) {
  __shared__ float total;
  const int i = blockIdx.x * 256 + threadIdx.x;
#if AFTER
  using BlockReduce = cub::BlockReduce<float, 256>;
  __shared__ BlockReduce::TempStorage storage;
  const float sum =
      BlockReduce(storage).Reduce(in[i] * in[i], [](float a, float b) { return a + b; });
#else
  const float sum = block_sum(in[i] * in[i]);
#endif
  if (threadIdx.x == 0) total = sum;
  __syncthreads();
  out[i] = in[i] * 64 - total;
}
int main() {
  float* out = device_array<float>(1 << 14, 1);
  rms_norm<<<64, 256>>>(device_array<float>(1 << 14, 16), out);
  result(out, 1 << 14);
}
