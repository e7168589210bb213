// NVlabs/cuda-oxide#707: local memory.
#include "agpusim/tests/regressions/pair.cuh"
struct Interval {
  int first, last, size, info;
};
__device__ Interval extend(Interval p, int b) {
  return {(p.first * (2 * b + 1) + b) & 4095, (p.last + p.first * b) & 4095, (p.size ^ b) & 63,
          p.info + b};
}
__device__ Interval next(Interval p, int c) {
#if AFTER
  Interval ok[4];
  for (int b = 0; b < 4; ++b) ok[b] = extend(p, b);
  return ok[c];
#else
  return c == 0 ? extend(p, 0) : c == 1 ? extend(p, 1) : c == 2 ? extend(p, 2) : extend(p, 3);
#endif
}
__global__ void seed_interval(const int* query, int* out, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Interval p{i & 4095, 1, 2, 3};
  for (int k = 0; k < length; ++k) p = next(p, query[k * gridDim.x * blockDim.x + i]);
  out[i] = p.first + p.last + p.size + p.info;
}
int main() {
  int* out = device_array<int>(1 << 13, 1);
  seed_interval<<<64, 128>>>(device_array<int>(16 << 13, 4), out, 16);
  result(out, 1 << 13);
}
