// solution of cuda_division
__global__ void division(const unsigned* in, unsigned* out, int a, int b, int c, int d) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32 * gridDim.x + blockIdx.x;
  for (int row = warp; row < a * b * c; row += gridDim.x * 8) {
    const int i = row / (b * c);
    const int j = row / c % b;
    const int k = row % c;
    const unsigned* const from = in + row * d;
    unsigned* const to = out + ((k * b + j) * a + i) * d;
    for (int l = lane; l < d; l += 32) to[l] = from[l];
  }
}
