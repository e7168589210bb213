// karpathy/llm.c@66b9755ce9: parameter to template.
#include "agpusim/tests/regressions/pair.cuh"
__device__ float warp_sum(float x) {
  for (int k = 16; k; k /= 2) x += __shfl_xor_sync(~0u, x, k);
  return x;
}
using reduction_t = float (*)(float);
#if AFTER
template <reduction_t warp_reduction>
__device__ float block_reduce(float x, float out_of_bounds = 0) {
#define REDUCE(x) block_reduce<warp_sum>(x)
#else
__device__ float block_reduce(float x, reduction_t warp_reduction) {
  constexpr float out_of_bounds = 0;
#define REDUCE(x) block_reduce(x, warp_sum)
#endif
  __shared__ float s[32];
  x = warp_reduction(x);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = x;
  __syncthreads();
  return warp_reduction(threadIdx.x % 32 < blockDim.x / 32 ? s[threadIdx.x % 32] : out_of_bounds);
}
__global__ void block_softmax(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] - REDUCE(in[i]);
}
int main() {
  float* out = device_array<float>(1 << 14, 1);
  block_softmax<<<64, 256>>>(device_array<float>(1 << 14), out);
  result(out, 1 << 14);
}
