// espressomd/espresso@5ea3b3ddf4: macro to function.
#include "agpusim/tests/regressions/pair.cuh"
#define PI 3.14159265358979323846264338328
template <class T = double>
__host__ __device__ constexpr T pi() {
  return T(3.14159265358979323846264338328L);
}
__global__ void influence(const double* alpha, double* g) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#if AFTER
  const double q = pi() / (alpha[i] + 1);
  g[i] = 2.0 * q * q / pi();
#else
  const double q = PI / (alpha[i] + 1);
  g[i] = 2.0 * q * q / PI;
#endif
}
int main() {
  double* g = device_array<double>(1 << 13, 1);
  influence<<<64, 128>>>(device_array<double>(1 << 13), g);
  result(g, 1 << 13);
}
