// camenduru/simple-knn#14: redundant global loads.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void box_mean_distance(const float* points, float* out, int boxes) {
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  const float x = points[i * 3], y = points[i * 3 + 1], z = points[i * 3 + 2];
  float best = 1e9f;
  for (int b = 0; b < boxes; ++b) {
#if AFTER
    const float* p = points + b * 3 * 128;
#else
    __shared__ float s[3 * 128];
    __syncthreads();
    for (int k = 0; k < 3; ++k) s[k * 128 + t] = points[b * 3 * 128 + k * 128 + t];
    __syncthreads();
    const float* p = s;
#endif
    for (int k = 0; k < 128; ++k) {
      const float dx = p[k * 3] - x, dy = p[k * 3 + 1] - y, dz = p[k * 3 + 2] - z;
      const float d = dx * dx + dy * dy + dz * dz;
      if (b * 128 + k != i && d < best) best = d;
    }
  }
  out[i] = best;
}
int main() {
  float* out = device_array<float>(8 * 128, 1);
  box_mean_distance<<<8, 128>>>(device_array<float>(3 * 8 * 128), out, 8);
  result(out, 8 * 128);
}
