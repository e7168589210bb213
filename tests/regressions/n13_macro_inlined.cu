// zjin-lcf/HeCBench@d82938d09f: macro inlined.
#include "agpusim/tests/regressions/pair.cuh"
#define PI acos(-1.0)
__global__ void initial_value(double* u, const double* x, double length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#if AFTER
  u[i] = rint(acos(-1.0) * x[i] / length);
#else
  u[i] = rint(PI * x[i] / length);
#endif
}
int main() {
  double* u = device_array<double>(1 << 13, 1);
  initial_value<<<64, 128>>>(u, device_array<double>(1 << 13), 3);
  result(u, 1 << 13);
}
