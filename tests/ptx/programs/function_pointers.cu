#ifndef HOST

namespace {

using Operation = unsigned (*)(unsigned, unsigned);

__device__ __noinline__ unsigned sum_of(unsigned a, unsigned b) { return a + b; }
__device__ __noinline__ unsigned product_of(unsigned a, unsigned b) {
  unsigned result = 0;
  for (; b != 0; b >>= 1, a <<= 1) result += b % 2 * a;
  return result;
}
__device__ __noinline__ unsigned larger_of(unsigned a, unsigned b) { return a > b ? a : b; }
__device__ Operation operations[3] = {sum_of, product_of, larger_of};

}  // namespace

// Each lane has a function of its own from a table; the loop of one ends at other turns.
// run: grid=2 block=64 shared=0 args=in:u32:128:random,out:u32:128:zeros
extern "C" __global__ void function_pointers(const unsigned* in, unsigned* out) {
  const unsigned i = 64 * blockIdx.x + threadIdx.x;
  unsigned value = in[i];
  for (unsigned k = 0; k < 4; ++k) {
    const Operation operation = operations[(in[i] >> k) % 3];
    if (value % 5 != 0) value = operation(value, in[(i + k) % 128]);
  }
  out[i] = value;
}

#else

void function_pointers_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 128; ++i) {
    unsigned value = in[i];
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned other = in[(i + k) % 128];
      const unsigned results[3] = {value + other, value * other, std::max(value, other)};
      if (value % 5 != 0) value = results[(in[i] >> k) % 3];
    }
    out[i] = value;
  }
}

#endif
