// ggml-org/llama.cpp#15132: too few threads.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void reduce_rows(const float* x, float* out, int columns) {
  __shared__ float s[32];
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += x[blockIdx.x * columns + c];
  for (int k = 16; k; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
  if (blockDim.x > 32) {
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = threadIdx.x % 32 < blockDim.x / 32 ? s[threadIdx.x % 32] : 0;
    for (int k = 16; k; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
int main() {
  const int rows = 10;
  float* out = device_array<float>(rows, 1);
#if AFTER
  reduce_rows<<<rows, 32>>>(device_array<float>(rows * 8192), out, 8192);
#else
  reduce_rows<<<rows, 512>>>(device_array<float>(rows * 8192), out, 8192);
#endif
  result(out, rows);
}
