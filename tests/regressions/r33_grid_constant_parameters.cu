// NVIDIA/cccl#9858: __grid_constant__.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
#define CONSTANT const __grid_constant__
#else
#define CONSTANT
#endif
struct Tile {
  const int* keys;
  int* out;
  int n;
};
__global__ void merge_sort_block(CONSTANT Tile tile, CONSTANT int limit) {
  __shared__ int s[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < tile.n ? tile.keys[i] : limit;
  for (int k = 2; k <= 256; k *= 2)
    for (int j = k / 2; j; j /= 2) {
      __syncthreads();
      const int other = t ^ j, a = s[t], b = s[other];
      __syncthreads();
      s[t] = ((t & k) == 0) == (t < other) ? min(a, b) : max(a, b);
    }
  if (i < tile.n) tile.out[i] = s[t];
}
int main() {
  const int n = 1 << 13;
  int* out = device_array<int>(n, 1);
  merge_sort_block<<<n / 256, 256>>>(Tile{device_array<int>(n, 4096), out, n}, 4096);
  result(out, n);
}
