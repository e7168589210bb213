// clab/dynet#316: redundant sync.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void tanh_backward(const float* y, const float* d, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (1 - y[i] * y[i]) * d[i];
#if AFTER
  __syncthreads();
#endif
}
int main() {
  float* out = device_array<float>(1 << 16, 1);
  tanh_backward<<<256, 256>>>(device_array<float>(1 << 16), device_array<float>(1 << 16), out,
                              1 << 16);
  result(out, 1 << 16);
}
