// espressomd/espresso@d3502b6ebc: macro hygiene.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
#define scalar(a, b) ((a)[0] * (b)[0] + (a)[1] * (b)[1] + (a)[2] * (b)[2])
#else
#define scalar(a, b) (a[0] * b[0] + a[1] * b[1] + a[2] * b[2])
#endif
__global__ void dipole_scalar(const float* dip, const float* r, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* p = dip + 3 * i;
  const float* q = r + 3 * i;
  out[i] = scalar(p, q) * 3 - scalar(p, p);
}
int main() {
  float* out = device_array<float>(1 << 13, 1);
  dipole_scalar<<<64, 128>>>(device_array<float>(3 << 13), device_array<float>(3 << 13), out);
  result(out, 1 << 13);
}
