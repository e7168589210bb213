// facebookresearch/faiss#2685: 64-bit index, occupancy.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
using idx_t = int64_t;
#else
using idx_t = int;
#endif
__global__ void l2_select(const float* distance, idx_t* out, idx_t columns) {
  float key[4];
  idx_t id[4];
  for (int k = 0; k < 4; ++k) key[k] = 1e9f, id[k] = -1;
  const idx_t row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  for (idx_t c = threadIdx.x % 32; c < columns; c += 32) {
    float v = distance[row * columns + c];
    idx_t j = c;
    for (int k = 0; k < 4; ++k)
      if (v < key[k]) {
        const float x = key[k];
        const idx_t y = id[k];
        key[k] = v, id[k] = j, v = x, j = y;
      }
  }
  for (int k = 0; k < 4; ++k) out[(row * 32 + threadIdx.x % 32) * 4 + k] = id[k];
}
int main() {
  idx_t* out = device_array<idx_t>(64 * 128, 1);
  l2_select<<<16, 128>>>(device_array<float>(64 * 1024, 4096), out, 1024);
  result(out, 64 * 128);
}
