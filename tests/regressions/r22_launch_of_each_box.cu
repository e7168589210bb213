// AMReX-Codes/amrex#1135: launch overhead.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void fill_box(const float* in, float* out, int first) {
  const int box = first + blockIdx.x, i = box * 256 + threadIdx.x;
  out[i] = in[i] * (box + 1);
}
int main() {
  const int boxes = 64;
  float *in = device_array<float>(boxes * 256), *out = device_array<float>(boxes * 256, 1);
#if AFTER
  for (int b = 0; b < boxes; ++b) fill_box<<<1, 256>>>(in, out, b);
#else
  fill_box<<<boxes, 256>>>(in, out, 0);
#endif
  result(out, boxes * 256);
}
