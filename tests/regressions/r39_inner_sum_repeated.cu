// karpathy/llm.c@4294820a8a: redundant work.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void softmax_backward(const float* att, const float* datt, float* dpre) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  float sum = 0;
#if AFTER
  s[t] = att[i] * datt[i];
  __syncthreads();
  for (int k = 0; k < 128; ++k) sum += s[k];
#else
  sum = att[i] * datt[i];
  for (int k = 16; k; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
  s[t / 32] = sum;
  __syncthreads();
  sum = s[0] + s[1] + s[2] + s[3];
#endif
  dpre[i] = att[i] * (datt[i] - sum);
}
int main() {
  float* dpre = device_array<float>(128 * 128, 1);
  softmax_backward<<<128, 128>>>(device_array<float>(128 * 128, 8),
                                 device_array<float>(128 * 128, 8), dpre);
  result(dpre, 128 * 128);
}
