#ifndef HOST

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

// Its sum lives across calls that write to a sum of their own.
__device__ __noinline__ int fibonacci_by_sums(int n) {
  int sum = 0;
#pragma unroll 1
  for (; n >= 2; n -= 2) sum += fibonacci_by_sums(n - 1);
  return sum + n;
}

__device__ int is_odd(unsigned n);
__device__ __noinline__ int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
__device__ __noinline__ int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

// Each call has an array of its own, into which the calls that it makes write.
__device__ __noinline__ int sum_of_levels(int n, int* above) {
  int own[4];
  for (int i = 0; i < 4; ++i) own[i] = n + i;
  if (n > 0) sum_of_levels(n - 1, own);
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += own[i];
  above[n & 3] += sum;
  return sum;
}

// run: grid=2 block=48 shared=0 args=out:s32:480:zeros
extern "C" __global__ void recursion(int* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[5 * t] = fibonacci(t % 9);
  out[5 * t + 1] = is_even(t % 12);
  int top[4] = {0, 0, 0, 0};
  out[5 * t + 2] = sum_of_levels(t % 6, top);
  out[5 * t + 3] = top[0] + 10 * top[1] + 100 * top[2] + 1000 * top[3];
  out[5 * t + 4] = fibonacci_by_sums(t % 9);
}

#else

namespace {

int host_fibonacci(int n) { return n < 2 ? n : host_fibonacci(n - 1) + host_fibonacci(n - 2); }

int host_sum_of_levels(int n, int* above) {
  int own[4] = {n, n + 1, n + 2, n + 3};
  if (n > 0) host_sum_of_levels(n - 1, own);
  const int sum = own[0] + own[1] + own[2] + own[3];
  above[n & 3] += sum;
  return sum;
}

}  // namespace

void recursion_reference(int* out) {
  for (int t = 0; t < 96; ++t) {
    out[5 * t] = host_fibonacci(t % 9);
    out[5 * t + 1] = t % 12 % 2 == 0 ? 1 : 0;
    int top[4] = {0, 0, 0, 0};
    out[5 * t + 2] = host_sum_of_levels(t % 6, top);
    out[5 * t + 3] = top[0] + 10 * top[1] + 100 * top[2] + 1000 * top[3];
    out[5 * t + 4] = out[5 * t];
  }
}

#endif
