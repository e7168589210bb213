// facebookresearch/faiss#4619: macro to constexpr function.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
constexpr int warp_size = 32;
__device__ constexpr inline int launch_bound() { return warp_size == 32 ? 288 : 320; }
#else
#define LAUNCH_BOUND 288
#endif
#if AFTER
__global__ void __launch_bounds__(launch_bound(), 3) pq_distances(const float* codes, float* out) {
#else
__global__ void __launch_bounds__(LAUNCH_BOUND, 3) pq_distances(const float* codes, float* out) {
#endif
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += codes[k * gridDim.x * blockDim.x + i] * k;
  out[i] = sum;
}
int main() {
  float* out = device_array<float>(32 * 288, 1);
  pq_distances<<<32, 288>>>(device_array<float>(4 * 32 * 288), out);
  result(out, 32 * 288);
}
