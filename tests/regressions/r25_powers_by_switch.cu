// rapidsai/cudf#16287: register pressure.
#include "agpusim/tests/regressions/pair.cuh"
__device__ uint64_t divide_power10(uint64_t x, int exponent) {
#if AFTER
  switch (exponent) {
    case 0:
      return x;
    case 1:
      return x / 10;
    case 2:
      return x / 100;
    case 3:
      return x / 1000;
    case 4:
      return x / 10000;
    case 5:
      return x / 100000;
    case 6:
      return x / 1000000;
    default:
      return x / 10000000;
  }
#else
  uint64_t p = 1;
  for (uint64_t b = 10; exponent; exponent /= 2, b *= b)
    if (exponent % 2) p *= b;
  return x / p;
#endif
}
__global__ void to_decimal(const uint64_t* x, uint64_t* out, int scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = divide_power10(x[i] * 1000000007, scale);
}
int main() {
  uint64_t* out = device_array<uint64_t>(1 << 15, 1);
  to_decimal<<<128, 256>>>(device_array<uint64_t>(1 << 15), out, 6);
  result(out, 1 << 15);
}
