// llnl/zfp#36: warp divergence.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void deposit_plane(const unsigned* planes, unsigned* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned block[16] = {};
  for (int k = 0; k < 8; ++k) {
    unsigned x = planes[k * gridDim.x * blockDim.x + t] & 0xffff;
#if AFTER
    for (int i = 0; x; ++i, x >>= 1) block[i] += (x & 1u) << k;
#else
#pragma unroll
    for (int i = 0; i < 16; ++i, x >>= 1) block[i] += (x & 1u) << k;
#endif
  }
#pragma unroll
  for (int i = 0; i < 16; ++i) out[i * gridDim.x * blockDim.x + t] = block[i];
}
int main() {
  unsigned* out = device_array<unsigned>(16 << 13, 1);
  deposit_plane<<<64, 128>>>(device_array<unsigned>(8 << 13, 1 << 16), out);
  result(out, 16 << 13);
}
