// zjin-lcf/HeCBench@1383f527f8: other spelling of a function.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void van_genuchten(const double* psi, double* c, double alpha) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double p = psi[i] - 32;
#if AFTER
  if (p < 0.0)
    c[i] = 100.0 * alpha * fabs(p) + (1.0 - alpha) * fabs(p);
  else
    c[i] = 0.0;
#else
  if (p < 0.0)
    c[i] = 100.0 * alpha * abs(p) + (1.0 - alpha) * abs(p);
  else
    c[i] = 0.0;
#endif
}
int main() {
  double* c = device_array<double>(1 << 13, 1);
  van_genuchten<<<64, 128>>>(device_array<double>(1 << 13), c, 0.5);
  result(c, 1 << 13);
}
