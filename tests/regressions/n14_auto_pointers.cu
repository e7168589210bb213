// zjin-lcf/HeCBench@bccea8f950: local pointer copies.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void vol2col(const float* data_vol, float* data_col, int width, int height) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = n % width, y = n / width;
#if AFTER
  auto v = data_vol + y * width + x;
  auto c = data_col + n;
  for (int k = 0; k < 4; ++k) {
    *c = x + k < width ? v[k] : 0.f;
    c += width * height;
  }
#else
  data_vol += y * width + x;
  data_col += n;
  for (int k = 0; k < 4; ++k) {
    *data_col = x + k < width ? data_vol[k] : 0.f;
    data_col += width * height;
  }
#endif
}
int main() {
  float* col = device_array<float>(4 << 13, 1);
  vol2col<<<64, 128>>>(device_array<float>(1 << 13), col, 128, 64);
  result(col, 4 << 13);
}
