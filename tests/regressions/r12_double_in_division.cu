// AliceO2Group/AliceO2#15689: double promotion.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void helix_step(const float* angle, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float tet = angle[i] + 1;
  const float t = tet * 0.5f;
#if AFTER
  out[i] = 2. * t * t / tet;
#else
  out[i] = 2.f * t * t / tet;
#endif
}
int main() {
  float* out = device_array<float>(1 << 16, 1);
  helix_step<<<256, 256>>>(device_array<float>(1 << 16), out);
  result(out, 1 << 16);
}
