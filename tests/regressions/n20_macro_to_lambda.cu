// NVIDIA/cccl#2817: macro to lambda.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void transform_kernel(const int* in, int* out, int items, int last) {
  const int tile = blockIdx.x * blockDim.x * items,
            size = min(last - tile, int(blockDim.x) * items);
  in += tile, out += tile;
#if AFTER
  auto process_tile = [&](bool full_tile) {
    for (int j = 0; j < items; ++j) {
      const int idx = j * blockDim.x + threadIdx.x;
      if (full_tile || idx < size) out[idx] = in[idx] * 3 + 1;
    }
  };
  if (size == int(blockDim.x) * items)
    process_tile(true);
  else
    process_tile(false);
#else
#define AGENT(full_tile)                                     \
  for (int j = 0; j < items; ++j) {                          \
    const int idx = j * blockDim.x + threadIdx.x;            \
    if (full_tile || idx < size) out[idx] = in[idx] * 3 + 1; \
  }
  if (size == int(blockDim.x) * items) {
    AGENT(true);
  } else {
    AGENT(false);
  }
#endif
}
int main() {
  int* out = device_array<int>(1 << 15, 1);
  transform_kernel<<<64, 128>>>(device_array<int>(1 << 15), out, 4, (1 << 15) - 77);
  result(out, 1 << 15);
}
