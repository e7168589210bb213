// rapidsai/cudf#22790: rename.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void semi_join(const int* a, const int* b, int* out, int na, int nb) {
#if AFTER
  const int* left = a;
  const int* right = b;
  const int left_row = blockIdx.x * blockDim.x + threadIdx.x;
  if (left_row >= na) return;
  int found = 0;
  for (int right_row = 0; right_row < nb; ++right_row) found |= left[left_row] == right[right_row];
  out[left_row] = found;
#else
  const int* probe = a;
  const int* build = b;
  const int probe_row = blockIdx.x * blockDim.x + threadIdx.x;
  if (probe_row >= na) return;
  int found = 0;
  for (int build_row = 0; build_row < nb; ++build_row)
    found |= probe[probe_row] == build[build_row];
  out[probe_row] = found;
#endif
}
int main() {
  int* out = device_array<int>(8192, 1);
  semi_join<<<64, 128>>>(device_array<int>(8192, 512), device_array<int>(16, 512), out, 8192, 16);
  result(out, 8192);
}
