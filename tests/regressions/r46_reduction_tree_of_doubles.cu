// NVIDIA/cccl#3225: register pressure.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void thread_reduce(const double* in, double* out) {
  const int n = gridDim.x * blockDim.x, t = blockIdx.x * blockDim.x + threadIdx.x;
  double x[9];
  for (int k = 0; k < 9; ++k) x[k] = in[k * n + t];
#if AFTER
  double sum3[3];
  for (int k = 0; k < 3; ++k) sum3[k] = x[3 * k] + x[3 * k + 1] + x[3 * k + 2];
  out[t] = sum3[0] + sum3[1] + sum3[2];
#else
  double sum = x[0];
  for (int k = 1; k < 9; ++k) sum += x[k];
  out[t] = sum;
#endif
}
int main() {
  double* out = device_array<double>(1 << 13, 1);
  thread_reduce<<<64, 128>>>(device_array<double>(9 << 13), out);
  result(out, 1 << 13);
}
