// ExtremeFLOW/neko#550: bank conflict.
#include "agpusim/tests/regressions/pair.cuh"
constexpr int lx = 8;
__global__ void ax_helmholtz(const double* dx, const double* u, double* w) {
#if AFTER
  constexpr int row = lx;
#else
  constexpr int row = lx + 1;
#endif
  __shared__ double d[lx * row], s[lx * row];
  const int i = threadIdx.x % lx, j = threadIdx.x / lx, e = blockIdx.x * lx * lx;
  d[i + j * row] = dx[threadIdx.x];
  s[i + j * row] = u[e + threadIdx.x];
  __syncthreads();
  double sum = 0;
  for (int l = 0; l < lx; ++l) sum += d[l + i * row] * s[l + j * row];
  w[e + threadIdx.x] = sum;
}
int main() {
  double* w = device_array<double>(64 * 512, 1);
  ax_helmholtz<<<512, 64>>>(device_array<double>(64), device_array<double>(64 * 512), w);
  result(w, 64 * 512);
}
