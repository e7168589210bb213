// mozilla-ai/llamafile#203: macros to template.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
template <int BM, int BN, int BK>
#define KERNEL gemm_tile<16, 16, 16>
#else
#define BM 16
#define BN 16
#define BK 16
#define KERNEL gemm_tile
#endif
__global__ void gemm_tile(const float* a, const float* b, float* c, int n) {
  __shared__ float s[BM][BK], t[BK][BN];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * BM + y, col = blockIdx.x * BN + x;
  float sum = 0;
  for (int k = 0; k < n; k += BK) {
    s[y][x] = a[row * n + k + x], t[y][x] = b[(k + y) * n + col];
    __syncthreads();
    for (int j = 0; j < BK; ++j) sum += s[y][j] * t[j][x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
int main() {
  float* c = device_array<float>(64 * 64, 1);
  KERNEL<<<dim3(4, 4), dim3(16, 16)>>>(device_array<float>(64 * 64), device_array<float>(64 * 64),
                                       c, 64);
  result(c, 64 * 64);
}
