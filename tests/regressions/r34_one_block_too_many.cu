// JuliaGPU/GPUArrays.jl#372: tail effect.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void saxpy(const float* x, float* y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] += a * x[i];
}
int main() {
  const int n = 264 * 1024 * 2;
  float* y = device_array<float>(n);
#if AFTER
  saxpy<<<2 * 132 + 1, 1024>>>(device_array<float>(n), y, 3, n);
#else
  saxpy<<<2 * 132, 1024>>>(device_array<float>(n), y, 3, n);
#endif
  result(y, n);
}
