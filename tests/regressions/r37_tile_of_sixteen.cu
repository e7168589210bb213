// NVIDIA/cuda-samples#175: bank conflict.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
#define TILE_DIM 16
#else
#define TILE_DIM 32
#endif
#define BLOCK_ROWS 16
__global__ void transpose_tile(float* out, const float* in, int width) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  const int x = threadIdx.x, y = threadIdx.y, bx = blockIdx.x * TILE_DIM,
            by = blockIdx.y * TILE_DIM;
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS) tile[y + i][x] = in[(by + y + i) * width + bx + x];
  __syncthreads();
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
    out[(bx + y + i) * width + by + x] = tile[x][y + i];
}
int main() {
  float* out = device_array<float>(256 * 256, 1);
  transpose_tile<<<dim3(256 / TILE_DIM, 256 / TILE_DIM), dim3(TILE_DIM, BLOCK_ROWS)>>>(
      out, device_array<float>(256 * 256), 256);
  result(out, 256 * 256);
}
