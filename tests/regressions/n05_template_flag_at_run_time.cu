// rapidsai/cudf#21312: template parameter to run time.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
#define FLAG bool has_nulls,
#define ARGUMENT false,
#else
constexpr bool has_nulls = false;
#define FLAG
#define ARGUMENT
#endif
__global__ void rolling_sum(const int* in, const unsigned* valid, FLAG int* out, int n,
                            int window) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0, count = 0;
  for (int j = max(0, i - window + 1); j <= min(n - 1, i); ++j)
    if (!has_nulls || (valid[j / 32] >> j % 32 & 1)) sum += in[j], ++count;
  out[i] = count ? sum : -1;
}
int main() {
  int* out = device_array<int>(1 << 14, 1);
  rolling_sum<<<64, 256>>>(device_array<int>(1 << 14), device_array<unsigned>(1 << 9), ARGUMENT out,
                           1 << 14, 8);
  result(out, 1 << 14);
}
