// pytorch/helion#3539: cache hint.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
#define LOAD(p) (*(p))
#else
#define LOAD(p) __ldcs(p)
#endif
__global__ void row_sum(const float* x, float* out, int columns) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  float sum = 0;
  for (int c = threadIdx.x % 32; c < columns; c += 32) sum += LOAD(x + row * columns + c);
  for (int k = 16; k; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
  if (threadIdx.x % 32 == 0) out[row] = sum;
}
int main() {
  float* out = device_array<float>(256, 1);
  row_sum<<<64, 128>>>(device_array<float>(256 * 1024), out, 1024);
  result(out, 256);
}
