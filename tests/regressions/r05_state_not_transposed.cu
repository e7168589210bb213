// Pele-Suite/PelePhysics#183: uncoalesced.
#include "agpusim/tests/regressions/pair.cuh"
constexpr int species = 8;
__device__ int at(int cell, int k, int cells) {
#if AFTER
  (void)cells;
  return cell * species + k;
#else
  return k * cells + cell;
#endif
}
__global__ void rhs(const float* y, float* rate, int cells) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < species; ++k) sum += y[at(cell, k, cells)] * (k + 1);
  rate[cell] = sum;
}
__global__ void init(float* y, int cells) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < species; ++k) y[at(cell, k, cells)] = float((cell * 7 + k) % 32);
}
int main() {
  const int cells = 1 << 14;
  float *y = device_array<float>(cells * species, 1), *rate = device_array<float>(cells, 1);
  init<<<cells / 128, 128>>>(y, cells);
  rhs<<<cells / 128, 128>>>(y, rate, cells);
  result(rate, cells);
}
