// rapidsai/cudf#21717: moved helper.
#include "agpusim/tests/regressions/pair.cuh"
#if AFTER
namespace unary {
struct true_if {
  int limit;
  __device__ bool operator()(int x) const { return x < limit; }
};
}  // namespace unary
using unary::true_if;
#else
namespace detail {
struct true_if {
  int limit;
  __device__ bool operator()(int x) const { return x < limit; }
};
}  // namespace detail
using detail::true_if;
#endif
__global__ void count_true(const int* in, char* out, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const true_if f{limit};
  out[i] = f(in[i]);
}
int main() {
  char* out = device_array<char>(1 << 14, 1);
  count_true<<<64, 256>>>(device_array<int>(1 << 14), out, 20);
  result(out, 1 << 14);
}
