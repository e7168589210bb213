// Functions of the device, compared with the host's and with known values.
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cuda_fp16.h>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

static int wrong = 0;
static void same(const char* name, double is, double must, double error = 0) {
  if (is == must || (is != is && must != must)) return;
  if (std::fabs(is - must) <= error * std::fabs(must)) return;
  printf("%s is %.17g, must be %.17g\n", name, is, must);
  ++wrong;
}
static double* results;
#define N 64
template <class... A>
static const double* run(void (*kernel)(A...), int blocks, int threads, A... arguments) {
  cudaMemset(results, 0, N * sizeof(double));
  kernel<<<blocks, threads>>>(arguments...);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error)), ++wrong;
  return results;
}

// X(expression of a float or double x)
// clang-format off
#define MATH(X) \
  X(exp(x)) X(exp2(x)) X(expm1(x)) X(log(x)) X(log2(x)) X(log10(x)) X(log1p(x)) X(sqrt(x)) \
  X(sin(x)) X(cos(x)) X(tan(x)) X(asin(x / 50)) X(acos(x / 50)) X(atan(x)) X(atan2(x, T(2))) \
  X(sinh(x)) X(cosh(x)) X(tanh(x)) X(asinh(x)) X(acosh(x + 1)) X(atanh(x / 50)) \
  X(pow(x, T(1.7))) X(pow(-x, T(3))) X(cbrt(x)) X(hypot(x, T(3))) X(erf(x)) X(erfc(x / 8)) \
  X(tgamma(x)) X(lgamma(x + 3)) X(fmod(T(100), x)) X(remainder(T(100), x)) X(floor(x)) \
  X(ceil(x)) X(trunc(-x)) X(round(x)) X(rint(x)) X(fabs(-x)) X(fmin(x, T(2))) X(fmax(x, T(2))) \
  X(copysign(x, T(-1))) X(ldexp(x, -3)) X(std::sqrt(x)) X(std::pow(x, 2)) X(std::abs(-x)) \
  X(std::max(x, T(3))) X(sin(x* T(1e9))) X(nextafter(x, T(9))) X(sqrt(3)) X(isnan(x)) \
  X(fma(x, x, x))
// clang-format on
#define COMPUTE(expression) out[i++] = double(expression);
template <class T>
__global__ void math(T x, double* out) {
  int i = 0;
  MATH(COMPUTE)
}
template <class T>
void check_math(T x, double error) {
  const double* is = run(math<T>, 1, 1, x, results);
  int i = 0;
#define COMPARE(expression) same(#expression, is[i++], double(expression), error);
  MATH(COMPARE)
}

// X(expression, value), of one thread.
// clang-format off
#define SINGLE(X) \
  X(__popc(0xf0f0u), 8) X(__popcll(~0ull), 64) X(__clz(1), 31) X(__clz(0), 32) X(__clzll(1), 63) \
  X(__ffs(0), 0) X(__ffs(8), 4) X(__brev(1u), 2147483648.0) \
  X(__byte_perm(0x3210, 0x7654, 0x6), 0x10101000) \
  X(__funnelshift_l(0x80000001u, 0x12345678u, 4), 0x23456788) X(__mul24(3, -4), -12) \
  X(__umulhi(0x80000000u, 6u), 3) X(__mul64hi(-5, 7), -1) X(__sad(3, -4, 5u), 12) \
  X(__dp4a(0x01020304, 0x05060708, 9), 79) X(__float_as_int(1.0f), 0x3f800000) \
  X(__int_as_float(0x40000000), 2) X(__hiloint2double(0x3ff00000, 0), 1) \
  X(__float2int_rn(2.5f), 2) X(__float2int_ru(2.1f), 3) X(__float2uint_rz(3.9f), 3) \
  X(__double2int_rd(-1.5), -2) X(__int2float_rn(16777217), 16777216) \
  X(__fadd_ru(1.0f, 1e-10f), 1.0 + 0x1p-23) X(__fmul_rn(3, 4), 12) X(__fdividef(6, 3), 2) \
  X(__saturatef(3), 1) X(__frcp_rn(4.0f), 0.25) X(min(3, 4u), 3) X(max(2.0f, 3.0), 3) \
  X(__expf(0.0f), 1) X(rsqrtf(4.0f), 0.5) X(float(__hadd(half(1.5f), half(2))), 3.5) \
  X(float(half(65520.0f)), HUGE_VAL) X(__half2int_rn(half(2.5f)), 2) X(float(hsqrt(half(9))), 3) \
  X(__high2float(__hfma2(__float2half2_rn(2), __float2half2_rn(3), __float2half2_rn(1))), 7)
// clang-format on
__global__ void single(double* out) {
  int i = 0;
#define COMPUTE_SINGLE(expression, value) out[i++] = double(expression);
  SINGLE(COMPUTE_SINGLE)
}

__global__ void warp(double* out) {
  const int t = threadIdx.x;
  const double values[] = {double(__shfl_sync(~0u, t, 35, 16)),
                           double(__shfl_up_sync(~0u, t, 3, 8)),
                           double(__shfl_down_sync(~0u, (long long)t << 33, 3, 8)),
                           __shfl_xor_sync(~0u, t * 0.5, 5),
                           double(__ballot_sync(~0u, t & 1)),
                           double(__all_sync(~0u, t < 32) + 2 * __any_sync(~0u, t == 40)),
                           double(__match_any_sync(~0u, t % 5)),
                           double(__reduce_add_sync(~0u, t)),
                           double(__reduce_min_sync(~0u, -t)),
                           double(__syncthreads_count(t < 5) + 100 * __syncthreads_or(t == 40)),
                           float(__shfl_down_sync(~0u, half(float(t)), 1))};
  if (t == 9) {
    for (int i = 0; i < 11; ++i) out[i] = values[i];
  }
}

__global__ void atomics(double* out) {
  __shared__ unsigned u[8];
  __shared__ float f;
  __shared__ double d;
  __shared__ unsigned long long l;
  const int t = threadIdx.x;
  if (t < 8) u[t] = 0;
  if (t == 0) f = 0, d = 0, l = 0;
  __syncthreads();
  atomicAdd(&u[0], 2u), atomicSub(&u[1], 1u), atomicMax((int*)&u[2], t), atomicOr(&u[3], 1u << t);
  atomicXor(&u[4], unsigned(t)), atomicInc(&u[5], 6), atomicDec(&u[6], 6),
      atomicMin((int*)&u[7], -t);
  atomicAdd(&f, 0.5f), atomicAdd_block(&d, 0.25), atomicAdd(&l, 1ull << 33);
  __syncthreads();
  if (t == 0) {
    for (int i = 0; i < 8; ++i) out[i] = int(u[i]);
    out[8] = f, out[9] = d, out[10] = double(l);
    out[11] = atomicCAS(&u[0], 64u, 7u), out[12] = u[0], out[13] = atomicExch(&f, 3.0f),
    out[14] = f;
  }
}

__global__ void groups(double* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(cg::tiled_partition<32>(block));
  const int t = block.thread_rank();
  const int sum = cg::reduce(tile, t, cg::plus<int>());
  const int before = cg::exclusive_scan(tile, 1);
  if (t == 9) out[0] = sum, out[1] = before, out[2] = tile.meta_group_rank();
  if (t % 3 == 0) {
    const auto lanes = cg::coalesced_threads();
    const int last = lanes.shfl(t, lanes.size() - 1);
    const int ones = cg::reduce(lanes, 1, cg::plus<int>());
    if (t == 3) out[3] = last, out[4] = ones, out[5] = lanes.thread_rank();
  }
}
__global__ void whole_grid(int* cells, double* out) {
  const auto grid = cg::this_grid();
  cells[grid.thread_rank()] = int(grid.thread_rank());
  grid.sync();
  const auto other = grid.size() - 1 - grid.thread_rank();
  if (grid.thread_rank() == 3) out[0] = cells[other];
}
__global__ void heap(double* out) {
  int* const p = static_cast<int*>(malloc(8));
  assert(p != nullptr);
  p[1] = 5;
  out[0] = p[1];
  free(p);
  printf("printed %d %s %.2f\n", 7, "text", 1.5);
}

int main() {
  cudaMallocManaged(&results, N * sizeof(double));
  for (const double x : {0.3, 1.7, 12.5}) check_math<float>(x, 2e-6), check_math<double>(x, 1e-14);
  int i = 0;
  const double* is = run(single, 1, 1, results);
#define COMPARE_SINGLE(expression, value) same(#expression, is[i++], value);
  SINGLE(COMPARE_SINGLE)
  const double of_warp[] = {3, 9, double(12ll << 33), 6, 0xaaaaaaaau, 1, 0x21084210, 496, -31,
                            5, 10};
  is = run(warp, 1, 32, results);
  for (i = 0; i < 11; ++i) same("a value of the warp", is[i], of_warp[i]);
  const double of_atomics[] = {64, -32, 31, -1, 0, 4, 3, -31, 16, 8, 0x1p38, 64, 7, 16, 3};
  is = run(atomics, 1, 32, results);
  for (i = 0; i < 15; ++i) same("a value of atomics", is[i], of_atomics[i]);
  const double of_groups[] = {92, 1, 1, 30, 11, 1};
  is = run(groups, 1, 32, results);
  for (i = 0; i < 6; ++i) same("a value of groups", is[i], of_groups[i]);
  int* cells;
  cudaMalloc(&cells, 256 * sizeof(int));
  void* arguments[] = {&cells, &results};
  cudaLaunchCooperativeKernel(whole_grid, 4, 64, arguments);
  cudaDeviceSynchronize();
  same("a value of the grid", results[0], 252);
  same("a value of the heap", run(heap, 1, 1, results)[0], 5);
  puts(wrong == 0 ? "correct" : "wrong");
  return wrong != 0;
}
