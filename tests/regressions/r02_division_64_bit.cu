// ggml-org/llama.cpp#22298: 64-bit integer division.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void stream_k(const float* x, float* out, int tiles, int width) {
#if AFTER
  const int kbc = int64_t(blockIdx.x) * tiles * width / gridDim.x;
  const int end = int64_t(blockIdx.x + 1) * tiles * width / gridDim.x;
#else
  const int kbc = blockIdx.x * unsigned(tiles * width) / gridDim.x;
  const int end = (blockIdx.x + 1) * unsigned(tiles * width) / gridDim.x;
#endif
  float sum = 0;
  for (int k = kbc + threadIdx.x; k < end; k += blockDim.x) sum += x[k];
  atomicAdd(out + blockIdx.x, sum);
}
int main() {
  float* out = device_array<float>(100, 1);
  stream_k<<<100, 256>>>(device_array<float>(1 << 17), out, 1 << 10, 1 << 7);
  result(out, 100);
}
