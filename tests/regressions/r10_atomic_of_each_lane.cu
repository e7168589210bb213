// kr-colab/pg_gpu#45: atomic contention.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void nsl_scan(const int* length, int* sum, int sites) {
  const int pair = blockIdx.x * blockDim.x + threadIdx.x;
  for (int site = 0; site < sites; ++site) {
    int ssl = length[site * gridDim.x * blockDim.x + pair];
#if AFTER
    atomicAdd(sum + site, ssl);
#else
    for (int k = 16; k; k /= 2) ssl += __shfl_down_sync(~0u, ssl, k);
    if (threadIdx.x % 32 == 0) atomicAdd(sum + site, ssl);
#endif
  }
}
int main() {
  int* sum = device_array<int>(16, 1);
  nsl_scan<<<64, 128>>>(device_array<int>(16 << 13), sum, 16);
  result(sum, 16);
}
