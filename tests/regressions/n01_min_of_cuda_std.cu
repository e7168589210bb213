// NVIDIA/cuCollections#557: other function of min.
#include <cuda/functional>

#include "agpusim/tests/regressions/pair.cuh"
__host__ __device__ constexpr size_t smaller(size_t a, size_t b) {
#if AFTER
  return cuda::std::min(a, b);
#else
  return b < a ? b : a;
#endif
}
__global__ void pair_size(const size_t* in, size_t* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = smaller(size_t{16}, in[i] * 2);
}
int main() {
  size_t* out = device_array<size_t>(1 << 14, 1);
  pair_size<<<64, 256>>>(device_array<size_t>(1 << 14), out);
  result(out, 1 << 14);
}
