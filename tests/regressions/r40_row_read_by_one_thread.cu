// karpathy/llm.c@e278112c19: uncoalesced.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void attention_backward(const float* att, const float* datt, float* d, int T) {
#if AFTER
  const int t3 = blockIdx.x * blockDim.x + threadIdx.x, lane = 0, step = 1;
#else
  const int t3 = blockIdx.x * blockDim.x / 32 + threadIdx.x / 32, lane = threadIdx.x % 32,
            step = 32;
#endif
  for (int t = t3; t < T; ++t) {
    float sum = 0;
    const float at3 = att[t * T + t3];
    for (int t2 = lane; t2 <= t; t2 += step)
      sum += att[t * T + t2] * ((t2 == t3) - at3) * datt[t * T + t2];
    if (step > 1)
      for (int k = 16; k; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
    if (lane == 0) d[t * T + t3] = sum;
  }
}
int main() {
  const int T = 128;
  float* d = device_array<float>(T * T, 1);
#if AFTER
  attention_backward<<<T / 64, 64>>>(device_array<float>(T * T, 4), device_array<float>(T * T, 4),
                                     d, T);
#else
  attention_backward<<<T / 2, 64>>>(device_array<float>(T * T, 4), device_array<float>(T * T, 4), d,
                                    T);
#endif
  result(d, T * T);
}
