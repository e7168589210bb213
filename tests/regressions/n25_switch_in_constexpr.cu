// ggml-org/llama.cpp#13095: conditional to switch.
#include "agpusim/tests/regressions/pair.cuh"
enum Type { Q4, Q5, Q8 };
__host__ __device__ constexpr int values_per_word(Type type) {
#if AFTER
  switch (type) {
    case Q4:
      return 8;
    case Q5:
      return 6;
    case Q8:
      return 4;
    default:
      return 1;
  }
#else
  return type == Q4 ? 8 : type == Q5 ? 6 : type == Q8 ? 4 : 1;
#endif
}
template <Type type>
__global__ void dequantize(const unsigned* q, int* out) {
  constexpr int n = values_per_word(type);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += (q[i] >> k * 32 / n) & ((1u << 32 / n) - 1);
  out[i] = sum;
}
int main() {
  int* out = device_array<int>(1 << 13, 1);
  dequantize<Q4><<<64, 128>>>(device_array<unsigned>(1 << 13, 1 << 16), out);
  result(out, 1 << 13);
}
