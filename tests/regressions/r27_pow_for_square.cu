// csarofeen/pytorch#1150: pow for a square.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void variance(const float* in, float* out, float mean, int rows) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  float sum = 0;
  for (int r = 0; r < rows; ++r) {
    const float x = in[r * n + c];
#if AFTER
    sum += roundf(powf(x - mean, 2));
#else
    sum += roundf((x - mean) * (x - mean));
#endif
  }
  out[c] = sum;
}
int main() {
  float* out = device_array<float>(2048, 1);
  variance<<<16, 128>>>(device_array<float>(2048 * 16), out, 31, 16);
  result(out, 2048);
}
