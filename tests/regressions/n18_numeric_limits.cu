// arrayfire/arrayfire@3bd788320d: macro to function.
#include <cfloat>
#include <limits>

#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
constexpr float eps = std::numeric_limits<float>::epsilon();
#else
constexpr float eps = FLT_EPSILON;
#endif
__global__ void inliers(const float* error, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = error[i] < eps ? 1 : __float2int_rz(error[i] * 2);
}
int main() {
  int* out = device_array<int>(1 << 13, 1);
  inliers<<<64, 128>>>(device_array<float>(1 << 13), out);
  result(out, 1 << 13);
}
