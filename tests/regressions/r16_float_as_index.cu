// ComputationalRadiationPhysics/picongpu#533: local memory.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void deposit_current(const float* p, float* out, int n, float first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float position[3] = {p[i], p[n + i], p[2 * n + i]}, sum = 0;
#if AFTER
#pragma unroll 1
  for (float d = first; d < 3; d += 1)
#else
  (void)first;
  for (int d = 0; d < 3; ++d)
#endif
    sum += position[int(d)] * (d + 1);
  out[i] = sum;
}
int main() {
  const int n = 1 << 14;
  float* out = device_array<float>(n, 1);
  deposit_current<<<n / 128, 128>>>(device_array<float>(3 * n), out, n, 0);
  result(out, n);
}
