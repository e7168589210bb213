// pytorch/pytorch#83825: comments.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
// Sums `val` across all threads in the block.
//
// Warning: the return value is only valid for thread 0.
// Assumptions:
//   - the size of each block should be a multiple of the warp size
//   - `shared` should have room for one value of each warp
#endif
__device__ int block_reduce(int val, int* shared) {
  for (int k = 16; k; k /= 2) val += __shfl_down_sync(~0u, val, k);
#if AFTER
    // Prevents races when block_reduce is called in a row.
#endif
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = val;
  __syncthreads();
  val = threadIdx.x < blockDim.x / 32 ? shared[threadIdx.x] : 0;
  if (threadIdx.x < 32)
    for (int k = 16; k; k /= 2) val += __shfl_down_sync(~0u, val, k);
  return val;
}
__global__ void block_reduce_sum(const int* in, int* out) {
  __shared__ int s[8];
  const int sum = block_reduce(in[blockIdx.x * 256 + threadIdx.x], s);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
int main() {
  int* out = device_array<int>(64, 1);
  block_reduce_sum<<<64, 256>>>(device_array<int>(64 * 256), out);
  result(out, 64);
}
