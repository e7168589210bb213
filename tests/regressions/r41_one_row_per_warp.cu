// rapidsai/raft#2259: bytes in flight.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
constexpr int rows_per_warp = 1;
#else
constexpr int rows_per_warp = 4;
#endif
__global__ void thin_reduction(const float* data, float* dots) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float acc[rows_per_warp];
  for (int k = 0; k < rows_per_warp; ++k) acc[k] = data[(warp * rows_per_warp + k) * 32 + lane];
  for (int k = 0; k < rows_per_warp; ++k)
    for (int j = 16; j; j /= 2) acc[k] += __shfl_xor_sync(~0u, acc[k], j);
  if (lane == 0)
    for (int k = 0; k < rows_per_warp; ++k) dots[warp * rows_per_warp + k] = acc[k];
}
int main() {
  const int rows = 4096;
  float* dots = device_array<float>(rows, 1);
  thin_reduction<<<rows / 4 / rows_per_warp, 128>>>(device_array<float>(rows * 32), dots);
  result(dots, rows);
}
