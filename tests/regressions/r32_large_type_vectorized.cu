// NVIDIA/cccl#9762: vectorization of large types.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void reduce_tile(const double2* in, double* out) {
  const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  double2 x[4];
#if AFTER
  (void)n;
  for (int k = 0; k < 4; ++k) x[k] = in[i * 4 + k];
#else
  for (int k = 0; k < 4; ++k) x[k] = in[k * n + i];
#endif
  double sum = 0;
  for (int k = 0; k < 4; ++k) sum += x[k].x - x[k].y;
  for (int k = 16; k; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
int main() {
  double* out = device_array<double>(1, 1);
  reduce_tile<<<64, 256>>>(reinterpret_cast<const double2*>(device_array<double>(8 << 14)), out);
  result(out, 1);
}
