// NVIDIA/cccl#5542: branch in the loop.
#include "agpusim/tests/regressions/pair.cuh"
template <bool Vector>
__device__ int tile_sum(const int* in, int tile) {
  const int4* p = reinterpret_cast<const int4*>(in) + tile * 128;
  if (Vector) return p[threadIdx.x].x + p[threadIdx.x].y + p[threadIdx.x].z + p[threadIdx.x].w;
  int sum = 0;
  for (int k = 0; k < 4; ++k) sum += in[tile * 512 + k * 128 + threadIdx.x];
  return sum;
}
__global__ void reduce_kernel(const int* in, int* out, int tiles) {
  const bool aligned = reinterpret_cast<size_t>(in) % 16 == 0;
  int sum = 0;
#if AFTER
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    if (aligned)
      sum += tile_sum<true>(in, t);
    else
      sum += tile_sum<false>(in, t);
  }
#else
  if (aligned)
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) sum += tile_sum<true>(in, t);
  else
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) sum += tile_sum<false>(in, t);
#endif
  atomicAdd(out, sum);
}
int main() {
  int* out = device_array<int>(1, 1);
  reduce_kernel<<<16, 128>>>(device_array<int>(512 * 256), out, 256);
  result(out, 1);
}
