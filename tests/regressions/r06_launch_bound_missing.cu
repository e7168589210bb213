// halide/Halide#9284: register spill.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
#define BOUND __launch_bounds__(1024)  // what ptxas assumed
#else
#define BOUND __launch_bounds__(32)
#endif
__global__ void BOUND mat_mul(const float* a, const float* b, float* c, int k) {
  float sum[8][8] = {};
  for (int l = 0; l < k; ++l) {
    float x[8], y[8];
    for (int i = 0; i < 8; ++i) x[i] = a[l * 8 + i], y[i] = b[l * 256 + i * 32 + threadIdx.x];
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) sum[i][j] += x[i] * y[j];
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) c[(blockIdx.x * 8 + i) * 256 + j * 32 + threadIdx.x] = sum[i][j];
}
int main() {
  float* c = device_array<float>(32 * 8 * 256, 1);
  mat_mul<<<32, 32>>>(device_array<float>(8 * 64), device_array<float>(256 * 64), c, 64);
  result(c, 32 * 8 * 256);
}
