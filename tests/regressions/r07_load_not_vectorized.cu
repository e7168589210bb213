// NVIDIA/cccl#431: vectorized load lost.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void block_load(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int item[4];
#if AFTER
  for (int k = 0; k < 4; ++k) item[k] = in[i * 4 + k];
#else
  *reinterpret_cast<int4*>(item) = reinterpret_cast<const int4*>(in)[i];
#endif
  out[i] = item[0] ^ item[1] ^ item[2] ^ item[3];
}
int main() {
  int* out = device_array<int>(1 << 15, 1);
  block_load<<<128, 256>>>(device_array<int>(1 << 17, 4096), out);
  result(out, 1 << 15);
}
