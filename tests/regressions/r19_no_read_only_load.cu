// taichi-dev/taichi#1998: missing __ldg.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
#define LOAD(p) (*(p))
#else
#define LOAD(p) __ldg(p)
#endif
__global__ void advect(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i + 1 < n) out[i] = LOAD(x + i) * 2 - LOAD(&x[i - 1]) + LOAD(&x[i + 1]);
}
int main() {
  float* out = device_array<float>(1 << 16, 1);
  advect<<<256, 256>>>(device_array<float>(1 << 16), out, 1 << 16);
  result(out, 1 << 16);
}
