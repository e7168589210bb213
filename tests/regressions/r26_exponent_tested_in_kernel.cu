// pytorch/pytorch#61240: branch per element.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void pow_scalar(const float* x, float* out, float e, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float b = x[i];
#if AFTER
  if (e == 2)
    out[i] = b * b;
  else if (e == 3)
    out[i] = b * b * b;
  else if (e == -2)
    out[i] = 1 / (b * b);
  else
    out[i] = powf(b, e);
#else
  (void)e;
  out[i] = b * b * b;
#endif
}
int main() {
  float* out = device_array<float>(1 << 15, 1);
  pow_scalar<<<128, 256>>>(device_array<float>(1 << 15), out, 3, 1 << 15);
  result(out, 1 << 15);
}
