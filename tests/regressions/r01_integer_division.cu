// pytorch/pytorch#5054: integer division.
#include "agpusim/tests/regressions/pair.cuh"
struct Divider {
  unsigned d, magic, shift;
};
__device__ unsigned quotient(unsigned n, Divider v) {
#if AFTER
  return n / v.d;
#else
  return (__umulhi(n, v.magic) + n) >> v.shift;
#endif
}
__global__ void strided_copy(const int* in, int* out, Divider rows, unsigned columns) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned q = quotient(i, rows), r = i - q * rows.d;
  out[i] = in[r * columns + q];
}
int main() {
  const Divider d96{96, static_cast<unsigned>((1ull << 32) * (128 - 96) / 96 + 1), 7};
  const int n = 96 * 512;
  int* out = device_array<int>(n, 1);
  strided_copy<<<n / 256, 256>>>(device_array<int>(n), out, d96, 512);
  result(out, n);
}
