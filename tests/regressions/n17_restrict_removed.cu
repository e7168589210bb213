// dmlc/xgboost#11616: __restrict__ of an inlined function.
#include "agpusim/tests/regressions/pair.cuh"
struct Candidate {
  int gain, feature;
};
#if AFTER
#define RESTRICT
#else
#define RESTRICT __restrict__
#endif
__device__ __forceinline__ void update(int gain, int feature, Candidate* RESTRICT best) {
  if (gain > best->gain) *best = {gain, feature};
}
__global__ void evaluate_split(const int* gain, int* out, int features) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Candidate best{-1, -1};
  for (int f = 0; f < features; ++f) update(gain[f * gridDim.x * blockDim.x + i], f, &best);
  out[i] = best.gain * 64 + best.feature;
}
int main() {
  int* out = device_array<int>(1 << 13, 1);
  evaluate_split<<<64, 128>>>(device_array<int>(8 << 13), out, 8);
  result(out, 1 << 13);
}
