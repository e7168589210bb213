// zjin-lcf/HeCBench@e643e44324: literal to template parameter.
#include <cub/block/block_reduce.cuh>

#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
template <class T, int block_size>
__device__ T reduce(T x) {
  using BlockReduce = cub::BlockReduce<T, block_size>;
#define REDUCE(x) reduce<float, 64>(x)
#else
template <class T>
__device__ T reduce(T x) {
  using BlockReduce = cub::BlockReduce<T, 64>;
#define REDUCE(x) reduce(x)
#endif
  __shared__ typename BlockReduce::TempStorage storage;
  return BlockReduce(storage).Sum(x);
}
__global__ void adamw_4bit(const float* in, float* out) {
  const float sum = REDUCE(in[blockIdx.x * 64 + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
int main() {
  float* out = device_array<float>(128, 1);
  adamw_4bit<<<128, 64>>>(device_array<float>(128 * 64), out);
  result(out, 128);
}
