// rapidsai/raft#3133: double promotion.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
#define ZERO 0.0
#else
#define ZERO 0.0f
#endif
__global__ void reduce_rows_by_key(const float* data, const int* keys, float4* out, int rows,
                                   int columns) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  float4 sum{};
  for (int r = 0; r < rows; ++r) {
    const float v = data[r * columns + c];
    const int key = keys[r];
    sum.x += key == 0 ? v : ZERO, sum.y += key == 1 ? v : ZERO;
    sum.z += key == 2 ? v : ZERO, sum.w += key == 3 ? v : ZERO;
  }
  out[c] = sum;
}
int main() {
  float* out = device_array<float>(4 * 4096, 1);
  reduce_rows_by_key<<<32, 128>>>(device_array<float>(32 * 4096), device_array<int>(32, 4),
                                  reinterpret_cast<float4*>(out), 32, 4096);
  result(out, 4 * 4096);
}
