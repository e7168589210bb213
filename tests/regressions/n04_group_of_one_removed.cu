// rapidsai/cudf#19536: simplification.
#include <cooperative_groups.h>

#include "agpusim/tests/regressions/pair.cuh"
__global__ void mixed_semi_join(const int* keys, const char* set, char* keep, int n) {
#if AFTER
  const int stride = gridDim.x * blockDim.x;
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < n; row += stride)
    keep[row] = set[keys[row]];
#else
  constexpr int size = 1;
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  const int stride = gridDim.x * blockDim.x / size;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / size; row < n; row += stride) {
    const char found = set[keys[row]];
    if (tile.thread_rank() == 0) keep[row] = found;
  }
#endif
}
int main() {
  char* keep = device_array<char>(1 << 14, 1);
  mixed_semi_join<<<32, 128>>>(device_array<int>(1 << 14, 256), device_array<char>(256, 2), keep,
                               1 << 14);
  result(keep, 1 << 14);
}
