// espressomd/espresso@235480bc17: global constant to local.
#include "agpusim/tests/regressions/pair.cuh"
#if !AFTER
const float C_2PIf = 6.28318530717958647692f;
#endif
template <class T>
__host__ __device__ constexpr T pi() {
  return T(3.14159265358979323846);
}
__global__ void bessel(const float* z, float* out, float uz) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#if AFTER
  const float c_2pif = 2 * pi<float>();
  for (int p = 1; p < 8; ++p) sum += rintf(c_2pif * uz * static_cast<float>(p) * z[i]);
#else
  for (int p = 1; p < 8; ++p) sum += rintf(C_2PIf * uz * static_cast<float>(p) * z[i]);
#endif
  out[i] = sum;
}
int main() {
  float* out = device_array<float>(1 << 13, 1);
  bessel<<<64, 128>>>(device_array<float>(1 << 13), out, 0.5f);
  result(out, 1 << 13);
}
