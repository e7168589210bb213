// NVIDIA/cub#315: pragma without effect.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void radix_rank(const unsigned* keys, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned key[4];
  int digit = 0;
#if !AFTER
#pragma unroll
#endif
  for (int k = 0; k < 4; ++k) key[k] = keys[k * gridDim.x * blockDim.x + i];
#if !AFTER
#pragma unroll
#endif
  for (int k = 0; k < 4; ++k) digit += (key[k] >> 2 & 15) << 4 * k;
  out[i] = digit;
}
int main() {
  int* out = device_array<int>(1 << 13, 1);
  radix_rank<<<64, 128>>>(device_array<unsigned>(4 << 13), out);
  result(out, 1 << 13);
}
