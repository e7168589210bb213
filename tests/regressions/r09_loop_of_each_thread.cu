// llnl/RAJA#764: warp divergence.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void tile_loop(const int* in, int* out, int length) {
  in += blockIdx.x * length, out += blockIdx.x * length;
#if AFTER
  for (int i = threadIdx.x; i < length; i += blockDim.x) {
    int sum = 0;
    for (int j = 0; j < 16; ++j) sum += in[(i + j) % length] * j;
    out[i] = sum;
  }
#else
  for (int base = 0; base < length; base += blockDim.x) {
    const int i = base + threadIdx.x;
    int sum = 0;
    for (int j = 0; j < 16; ++j)
      if (i < length) sum += in[(i + j) % length] * j;
    if (i < length) out[i] = sum;
  }
#endif
}
int main() {
  int* out = device_array<int>(64 * 200, 1);
  tile_loop<<<64, 128>>>(device_array<int>(64 * 200), out, 200);
  result(out, 64 * 200);
}
