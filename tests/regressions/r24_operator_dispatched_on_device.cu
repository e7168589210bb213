// rapidsai/cudf#9816: dispatch per element.
#include "agpusim/tests/regressions/pair.cuh"
__device__ double as_double(const void* p, int type, int i) {
  switch (type) {
    case 0:
      return static_cast<const int*>(p)[i];
    case 1:
      return static_cast<const float*>(p)[i];
    case 2:
      return static_cast<const short*>(p)[i];
    default:
      return static_cast<double>(static_cast<const int64_t*>(p)[i]);
  }
}
__global__ void binary_operation(const void* a, const void* b, float* out, int type, int op,
                                 int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#if AFTER
  const double x = as_double(a, type, i), y = as_double(b, type, i);
  out[i] = static_cast<float>(op == 0 ? x + y : op == 1 ? x - y : op == 2 ? x * y : x / y);
#else
  (void)type, (void)op;
  out[i] = static_cast<const float*>(a)[i] + static_cast<const float*>(b)[i];
#endif
}
int main() {
  float* out = device_array<float>(1 << 16, 1);
  binary_operation<<<256, 256>>>(device_array<float>(1 << 16), device_array<float>(1 << 16), out, 1,
                                 0, 1 << 16);
  result(out, 1 << 16);
}
