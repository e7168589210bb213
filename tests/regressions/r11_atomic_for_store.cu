// spirit-code/spirit#80: redundant atomic.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void scale_field(float* f, float s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#if AFTER
  atomicExch(f + i, f[i] * s);
#else
  f[i] *= s;
#endif
}
int main() {
  float* f = device_array<float>(1 << 16);
  scale_field<<<256, 256>>>(f, 3, 1 << 16);
  result(f, 1 << 16);
}
