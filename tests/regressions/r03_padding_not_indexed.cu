// deepspeedai/DeepSpeed#8055: bank conflict.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void transpose(const float* in, float* out, int width) {
  __shared__ float s[16 * (16 + 1)];
#if AFTER
  constexpr int stride = 16;
#else
  constexpr int stride = 16 + 1;
#endif
  const int x = threadIdx.x, y = threadIdx.y, bx = blockIdx.x * 16, by = blockIdx.y * 16;
  s[y * stride + x] = in[(by + y) * width + bx + x];
  __syncthreads();
  out[(bx + y) * width + by + x] = s[x * stride + y];
}
int main() {
  float* out = device_array<float>(256 * 256, 1);
  transpose<<<dim3(16, 16), dim3(16, 16)>>>(device_array<float>(256 * 256), out, 256);
  result(out, 256 * 256);
}
