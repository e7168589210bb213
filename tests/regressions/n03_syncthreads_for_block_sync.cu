// rapidsai/cudf#22152: other spelling of a barrier.
#include <cooperative_groups.h>

#include "agpusim/tests/regressions/pair.cuh"
__global__ void shared_aggregate(const int* in, int* out) {
  __shared__ int s[256];
  const auto block = cooperative_groups::this_thread_block();
  s[block.thread_rank()] = in[blockIdx.x * 256 + block.thread_rank()];
#if AFTER
  __syncthreads();
#else
  block.sync();
#endif
  for (int k = 128; k; k /= 2) {
    if (block.thread_rank() < k) s[block.thread_rank()] += s[block.thread_rank() + k];
#if AFTER
    __syncthreads();
#else
    block.sync();
#endif
  }
  if (block.thread_rank() == 0) out[blockIdx.x] = s[0];
}
int main() {
  int* out = device_array<int>(64, 1);
  shared_aggregate<<<64, 256>>>(device_array<int>(64 * 256), out);
  result(out, 64);
}
