// pytorch/pytorch#36400: casts.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void unary_trunc(const float* x, int* out, size_t n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#if AFTER
  if (static_cast<size_t>(i) < n)
    out[i] = static_cast<int>(x[i] * 1.5f) + static_cast<int>(static_cast<unsigned char>(i));
#else
  if ((size_t)i < n) out[i] = (int)(x[i] * 1.5f) + (int)(unsigned char)i;
#endif
}
int main() {
  int* out = device_array<int>(1 << 14, 1);
  unary_trunc<<<64, 256>>>(device_array<float>(1 << 14), out, 1 << 14);
  result(out, 1 << 14);
}
