// pytorch/pytorch#185743: linkage.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
static
#endif
    __device__ float
    lerp_value(float a, float b, float w) {
  return w < 0.5f ? a + w * (b - a) : b - (b - a) * (1 - w);
}
__global__ void lerp_kernel(const float* a, const float* b, float* out, float w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = lerp_value(a[i], b[i], w);
}
int main() {
  float* out = device_array<float>(1 << 14, 1);
  lerp_kernel<<<64, 256>>>(device_array<float>(1 << 14), device_array<float>(1 << 14, 32), out,
                           0.25f);
  result(out, 1 << 14);
}
