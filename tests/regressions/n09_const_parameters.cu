// espressomd/espresso@69ce707bcb: const-correctness.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
#define CONST const
#else
#define CONST
#endif
__device__ float minimum_image(float CONST a[3], float CONST b[3], float CONST box[3]) {
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    float d = a[i] - b[i];
    d -= box[i] * rintf(d / box[i]);
    sum += d * d;
  }
  return sum;
}
__global__ void dipole_energy(float CONST* r, float* out, float x, float y, float z) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a[3] = {r[3 * i], r[3 * i + 1], r[3 * i + 2]}, b[3] = {r[0], r[1], r[2]},
        box[3] = {x, y, z};
  out[i] = minimum_image(a, b, box);
}
int main() {
  float* out = device_array<float>(1 << 13, 1);
  dipole_energy<<<64, 128>>>(device_array<float>(3 << 13), out, 32, 32, 32);
  result(out, 1 << 13);
}
