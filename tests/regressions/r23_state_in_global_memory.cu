// rapidsai/cudf#12577: global memory for state.
#include "agpusim/tests/regressions/pair.cuh"
struct Nesting {
  int count, nulls;
};
__global__ void decode_page(const int* levels, int* out, Nesting* info, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#if AFTER
  Nesting* state = info + i;
#else
  __shared__ Nesting cache[128];
  Nesting* state = cache + threadIdx.x;
  *state = info[i];
#endif
  for (int k = 0; k < n; ++k) {
    const int value = levels[k * gridDim.x * blockDim.x + i];
    state->count += value;
    state->nulls += value == 0;
    out[k * gridDim.x * blockDim.x + i] = state->count * 2 + state->nulls;
  }
  info[i] = *state;
}
int main() {
  int* out = device_array<int>(16 << 13, 1);
  Nesting* info = reinterpret_cast<Nesting*>(device_array<int>(2 << 13, 1));
  decode_page<<<64, 128>>>(device_array<int>(16 << 13), out, info, 16);
  result(out, 16 << 13);
}
