// pytorch/pytorch#143696: 64-bit index.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
using index_t = int64_t;
#else
using index_t = uint32_t;
#endif
__global__ void scan_rows(const int* in, int* out, index_t row_size) {
  __shared__ int s[256];
  const int x = threadIdx.x;
  int total = 0;
  in += blockIdx.x * row_size, out += blockIdx.x * row_size;
  for (index_t block_col = 0; block_col < row_size; block_col += 256) {
    const index_t c1 = block_col + x, c2 = block_col + 128 + x;
    s[x] = c1 < row_size ? in[c1] : 0, s[128 + x] = c2 < row_size ? in[c2] : 0;
    if (x == 0) s[0] += total;
    __syncthreads();
    for (int m = 1; m <= 128; m *= 2) {
      const int a = x / m * 2 * m + m;
      s[a + x % m] += s[a - 1];
      __syncthreads();
    }
    if (c1 < row_size) out[c1] = s[x];
    if (c2 < row_size) out[c2] = s[128 + x];
    total = s[255];
    __syncthreads();
  }
}
int main() {
  int* out = device_array<int>(32 * 1000, 1);
  scan_rows<<<32, 128>>>(device_array<int>(32 * 1000), out, 1000);
  result(out, 32 * 1000);
}
