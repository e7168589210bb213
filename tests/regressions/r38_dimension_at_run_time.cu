// arrayfire/arrayfire@5360328eae: local memory, division.
#include "agpusim/tests/regressions/pair.cuh"
struct Array {
  const float* data;
  int dims[4], strides[4];
};
__global__ void approx1(Array in, Array at, float* out, int xdim, float begin, float step) {
  const int id[4] = {int(blockIdx.x * blockDim.x + threadIdx.x), int(blockIdx.y), 0, 0};
#if AFTER
  const bool off[4] = {at.dims[0] > 1, at.dims[1] > 1, at.dims[2] > 1, at.dims[3] > 1};
  int at_id = 0;
  for (int d = 0; d < 4; ++d) at_id += id[d] * at.strides[d] * off[d];
  const float x = (at.data[at_id] - begin) / step;
  int in_id = 0;
  for (int d = 0; d < 4; ++d) in_id += d == xdim ? 0 : id[d] * in.strides[d];
  in_id += int(x) * in.strides[xdim];
  out[id[1] * at.dims[0] + id[0]] = x < in.dims[xdim] ? in.data[in_id] : 0;
#else
  (void)xdim;
  const float x = (at.data[id[0] * at.strides[0]] - begin) * step;
  out[id[1] * at.dims[0] + id[0]] = x < in.dims[0] ? in.data[id[1] * in.strides[1] + int(x)] : 0;
#endif
}
int main() {
  const Array in{device_array<float>(64 * 64), {64, 64, 1, 1}, {1, 64, 4096, 4096}};
  const Array at{device_array<float>(512), {512, 1, 1, 1}, {1, 512, 512, 512}};
  float* out = device_array<float>(512 * 64, 1);
  approx1<<<dim3(4, 64), 128>>>(in, at, out, 0, 0, 1);
  result(out, 512 * 64);
}
