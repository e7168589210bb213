// ginkgo-project/ginkgo@dd4c3bdb7b: member function to template argument.
#include <cooperative_groups.h>

#include "agpusim/tests/regressions/pair.cuh"
namespace cg = cooperative_groups;
#if AFTER
template <unsigned Size, class Parent>
__device__ __forceinline__ unsigned ballot(const cg::thread_block_tile<Size, Parent>& g, int p) {
  constexpr unsigned mask = ~0u >> (32 - Size);
#else
template <class Group>
__device__ __forceinline__ unsigned ballot(const Group& g, int p) {
  constexpr unsigned mask = ~0u >> (32 - Group::size());
#endif
  return mask & g.ballot(p);
}
__global__ void ballot_count(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  out[i] = __popc(ballot(tile, in[i] > 20));
}
int main() {
  int* out = device_array<int>(1 << 13, 1);
  ballot_count<<<64, 128>>>(device_array<int>(1 << 13), out);
  result(out, 1 << 13);
}
