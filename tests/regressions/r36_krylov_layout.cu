// ginkgo-project/ginkgo@e3ca7cc6fc: uncoalesced.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void multidot(const float* bases, const float* next, float* hessenberg, int rows) {
#if AFTER
  constexpr int iterations = 32;
  const int k = threadIdx.x % iterations, part = threadIdx.x / iterations,
            parts = blockDim.x / iterations;
  const int first = blockIdx.x * 256, last = first + 256;
  float sum = 0;
  for (int i = first + part; i < last; i += parts) sum += next[i] * bases[(k * rows + i)];
  atomicAdd(hessenberg + k, sum);
#else
  const int k = blockIdx.y;
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < blockIdx.x * 256 + 256; i += blockDim.x)
    sum += next[i] * bases[k * rows + i];
  for (int j = 16; j; j /= 2) sum += __shfl_xor_sync(~0u, sum, j);
  if (threadIdx.x % 32 == 0) atomicAdd(hessenberg + k, sum);
#endif
}
int main() {
  float* h = device_array<float>(32, 1);
  multidot<<<dim3(16, AFTER ? 1 : 32), 128>>>(device_array<float>(32 * 4096, 4),
                                              device_array<float>(4096, 4), h, 4096);
  result(h, 32);
}
