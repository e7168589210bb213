// espressomd/espresso#2982: unrolling: registers.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void velocity_interpolation(const float* rho, const float* w, float* u, int n) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0, y = 0, z = 0;
#if AFTER
#pragma unroll
#else
#pragma unroll 1
#endif
  for (int node = 0; node < 8; ++node) {
    float mode[9];
    for (int k = 0; k < 9; ++k) mode[k] = rho[(node * 9 + k) * n + p];
    const float weight = w[node * n + p];
    x += weight * (mode[1] - mode[2] + mode[5] - mode[6]);
    y += weight * (mode[3] - mode[4] + mode[7] - mode[8]);
    z += weight * (mode[0] + mode[8] - mode[2] - mode[4]);
  }
  u[p] = x, u[n + p] = y, u[2 * n + p] = z;
}
int main() {
  const int n = 1 << 12;
  float* u = device_array<float>(3 * n, 1);
  velocity_interpolation<<<n / 128, 128>>>(device_array<float>(72 * n),
                                           device_array<float>(8 * n, 4), u, n);
  result(u, 3 * n);
}
