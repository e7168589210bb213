// karpathy/llm.c@4d1ec68: rename.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
#define NAME(x) x##_params
#else
#define NAME(x) x
#endif
__global__ void layernorm_forward(float* out, const float* NAME(inp), const float* NAME(weight),
                                  int C) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  float sum = 0;
  for (int c = threadIdx.x % 32; c < C; c += 32) sum += NAME(inp)[row * C + c];
  for (int k = 16; k; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
  for (int c = threadIdx.x % 32; c < C; c += 32)
    out[row * C + c] = (NAME(inp)[row * C + c] * C - sum) * NAME(weight)[c];
}
int main() {
  float* out = device_array<float>(128 * 128, 1);
  layernorm_forward<<<32, 128>>>(out, device_array<float>(128 * 128), device_array<float>(128, 4),
                                 128);
  result(out, 128 * 128);
}
