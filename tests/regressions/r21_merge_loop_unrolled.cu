// NVIDIA/cub#664: unrolling: code size.
#include "agpusim/tests/regressions/pair.cuh"
__device__ bool less(int a, int b) {
  for (int k = 0; k < 4; ++k) a = (a * 5 + 3) & 1023, b = (b * 5 + 3) & 1023;
  return a < b;
}
__global__ void serial_merge(const int* in, int* out) {
  __shared__ int s[2][129];
  const int t = threadIdx.x;
  s[0][t] = in[blockIdx.x * 256 + t], s[1][t] = in[blockIdx.x * 256 + 128 + t];
  __syncthreads();
  int a = t & 63, b = t & 63, sum = 0;
#if AFTER
#pragma unroll
#else
#pragma unroll 1
#endif
  for (int i = 0; i < 16; ++i) {
    const bool left = less(s[0][a], s[1][b]);
    sum += (i + 1) * (left ? s[0][a++] : s[1][b++]);
  }
  out[blockIdx.x * 128 + t] = sum;
}
int main() {
  int* out = device_array<int>(64 * 128, 1);
  serial_merge<<<64, 128>>>(device_array<int>(64 * 256, 1024), out);
  result(out, 64 * 128);
}
