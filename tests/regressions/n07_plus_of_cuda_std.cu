// rapidsai/raft#2594: deprecated functor.
#include <cub/block/block_reduce.cuh>
#include <cuda/std/functional>

#include "agpusim/tests/regressions/pair.cuh"
using Sum = cuda::std::plus<>;  // what cub::Sum was at last
__global__ void count_rows(const unsigned* bitmap, int* out) {
  using BlockReduce = cub::BlockReduce<int, 128>;
  __shared__ BlockReduce::TempStorage storage;
  const int count = __popc(bitmap[blockIdx.x * 128 + threadIdx.x]);
#if AFTER
  const int sum = BlockReduce(storage).Reduce(count, cuda::std::plus{});
#else
  const int sum = BlockReduce(storage).Reduce(count, Sum{});
#endif
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
int main() {
  int* out = device_array<int>(128, 1);
  count_rows<<<128, 128>>>(device_array<unsigned>(1 << 14, 1 << 16), out);
  result(out, 128);
}
