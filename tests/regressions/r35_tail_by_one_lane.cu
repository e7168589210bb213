// MoonshotAI/FlashKDA#14: serialised lane.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void store_tile(const float* in, float* out, int rows) {
  __shared__ float s[16 * 128];
  for (int k = threadIdx.x; k < 16 * 128; k += 32) s[k] = in[blockIdx.x * 16 * 128 + k];
  __syncwarp();
#if AFTER
  if (threadIdx.x == 0)
    for (int k = 0; k < rows * 128; ++k) out[blockIdx.x * rows * 128 + k] = s[k];
#else
  for (int k = threadIdx.x; k < rows * 128; k += 32) out[blockIdx.x * rows * 128 + k] = s[k];
#endif
}
int main() {
  float* out = device_array<float>(32 * 15 * 128, 1);
  store_tile<<<32, 32>>>(device_array<float>(32 * 16 * 128), out, 15);
  result(out, 32 * 15 * 128);
}
