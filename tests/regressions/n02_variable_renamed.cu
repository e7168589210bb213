// NVIDIA/cuCollections#367: rename.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void insert_if_n(const int* first, const int* stencil, int* slots, int n) {
  for (int idx = blockIdx.x * blockDim.x + threadIdx.x; idx < n; idx += gridDim.x * blockDim.x) {
    if (stencil[idx]) {
#if AFTER
      const int insert_element{first[idx]};
      if (insert_element > 3) atomicMax(slots + insert_element % 256, insert_element);
#else
      const int insert_pair{first[idx]};
      if (insert_pair > 3) {
        atomicMax(slots + insert_pair % 256, insert_pair);
      };
#endif
    }
  }
}
int main() {
  int* slots = device_array<int>(256, 1);
  insert_if_n<<<32, 128>>>(device_array<int>(1 << 14, 4096), device_array<int>(1 << 14, 2), slots,
                           1 << 14);
  result(slots, 256);
}
