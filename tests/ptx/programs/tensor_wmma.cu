// Every shape, type and layout of nvcuda::wmma. Products of small integers are exact, of fractions
// within the tolerance; what the program does to each element of a fragment shows in the result.
#ifndef HOST

#include <mma.h>

using namespace nvcuda;
using Row = wmma::row_major;
using Column = wmma::col_major;

// Numbers of a fragment, and how they lie in memory.
template <class T>
struct Numbers {
  using InFragment = T;
  using InMemory = T;
};
struct Tf32s {
  using InFragment = wmma::precision::tf32;
  using InMemory = float;
};

__shared__ __align__(32) unsigned char memory[4][2048];

template <int M, int N, int K, class T, class C, class D, class LeftLayout, class RightLayout>
__device__ __noinline__ void product(const float* in, float*& out, bool whole) {
  using InMemory = typename T::InMemory;
  using InFragment = typename T::InFragment;
  constexpr bool left_by_rows = __is_same(LeftLayout, Row);
  constexpr bool right_by_rows = __is_same(RightLayout, Row);
  constexpr int padding = 32 / sizeof(InMemory);
  constexpr int left_stride = (left_by_rows ? K : M) + padding;
  constexpr int right_stride = (right_by_rows ? N : K) + padding;
  auto* const left = reinterpret_cast<InMemory*>(memory[0]);
  auto* const right = reinterpret_cast<InMemory*>(memory[1]);
  auto* const before = reinterpret_cast<C*>(memory[2]);
  auto* const after = reinterpret_cast<D*>(memory[3]);
#pragma unroll 1
  for (int i = threadIdx.x; i < M * K; i += 32) {
    const int m = i / K, k = i % K;
    const float x = whole ? (5 * m + 3 * k) % 11 : (in[16 * m + k] + 0x1p22f) * 0x1p-25f;
    left[left_by_rows ? left_stride * m + k : left_stride * k + m] = InMemory(x);
  }
#pragma unroll 1
  for (int i = threadIdx.x; i < K * N; i += 32) {
    const int k = i / N, n = i % N;
    const float x = whole ? (2 * k + 7 * n) % 9 : (in[512 + 32 * k + n] + 0x1p22f) * 0x1p-25f;
    right[right_by_rows ? right_stride * k + n : right_stride * n + k] = InMemory(x);
  }
#pragma unroll 1
  for (int i = threadIdx.x; i < M * N; i += 32) before[i] = C(float(i / N + 3 * (i % N)));
  __syncwarp();
  wmma::fragment<wmma::matrix_a, M, N, K, InFragment, LeftLayout> a;
  wmma::fragment<wmma::matrix_b, M, N, K, InFragment, RightLayout> b;
  wmma::fragment<wmma::accumulator, M, N, K, C> c;
  wmma::fragment<wmma::accumulator, M, N, K, D> d;
  wmma::load_matrix_sync(a, left, left_stride);
  wmma::load_matrix_sync(b, right, right_stride);
  wmma::load_matrix_sync(c, before, N, wmma::mem_row_major);
  if constexpr (__is_same(InFragment, wmma::precision::tf32)) {
    for (int i = 0; i < a.num_elements; ++i) a.x[i] = wmma::__float_to_tf32(a.x[i]);
    for (int i = 0; i < b.num_elements; ++i) b.x[i] = wmma::__float_to_tf32(b.x[i]);
  }
  wmma::mma_sync(d, a, b, c);
  // Accumulators of one type hold the same element at i.
  if constexpr (__is_same(C, D)) {
    for (int i = 0; i < d.num_elements; ++i) d.x[i] = d.x[i] + c.x[i];
  }
  wmma::store_matrix_sync(after, d, M, wmma::mem_col_major);
  __syncwarp();
#pragma unroll 1
  for (int i = threadIdx.x; i < M * N; i += 32) out[i] = float(after[i % N * M + i / N]);
  __syncwarp();
  out += M * N;
}

// A matrix of global memory times another, both loaded and stored there.
__device__ void in_global_memory(const float* in, float* out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, Row> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, Column> b;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < 16; k += 8) {
    wmma::load_matrix_sync(a, in + k, 16);
    wmma::load_matrix_sync(b, in + 512 + k, 32);
    for (int i = 0; i < a.num_elements; ++i) a.x[i] = wmma::__float_to_tf32(a.x[i] * 0x1p-24f);
    for (int i = 0; i < b.num_elements; ++i) b.x[i] = wmma::__float_to_tf32(b.x[i] * 0x1p-24f);
    wmma::mma_sync(sum, a, b, sum);
  }
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

template <class T, class C, class D>
__device__ void shapes(const float* in, float*& out, bool whole) {
  product<16, 16, 16, T, C, D, Row, Row>(in, out, whole);
  product<16, 16, 16, T, C, D, Column, Column>(in, out, whole);
  product<32, 8, 16, T, C, D, Row, Column>(in, out, whole);
  product<8, 32, 16, T, C, D, Column, Row>(in, out, whole);
}

// run: grid=1 block=32 shared=0 args=in:f32:1024:random,out:f32:8448:zeros
// tolerance: 1e-5 relative
extern "C" __global__ void tensor_wmma(const float* in, float* out) {
#pragma unroll 1
  for (int whole = 1; whole >= 0; --whole) {
    shapes<Numbers<half>, float, float>(in, out, whole);
    shapes<Numbers<__nv_bfloat16>, float, float>(in, out, whole);
    product<16, 16, 8, Tf32s, float, float, Row, Column>(in, out, whole);
    product<16, 16, 8, Tf32s, float, float, Column, Row>(in, out, whole);
    product<8, 8, 4, Numbers<double>, double, double, Row, Column>(in, out, whole);
    product<8, 8, 4, Numbers<double>, double, double, Column, Row>(in, out, whole);
  }
  shapes<Numbers<half>, half, half>(in, out, true);
  product<16, 16, 16, Numbers<half>, half, float, Row, Column>(in, out, true);
  product<16, 16, 16, Numbers<half>, float, half, Column, Row>(in, out, true);
  shapes<Numbers<signed char>, int, int>(in, out, true);
  product<16, 16, 16, Numbers<unsigned char>, int, int, Row, Column>(in, out, true);
  in_global_memory(in, out);
}

#else

// To so many significant bits; ties go to even numbers, of tf32 away from zero.
double tensor_wmma_rounded(double x, int bits) {
  if (x == 0 || bits == 0) return x;
  const double step = std::ldexp(1.0, std::ilogb(x) + 1 - std::abs(bits));
  return (bits < 0 ? std::round(x / step) : std::nearbyint(x / step)) * step;
}

void tensor_wmma_reference(const float* in, float* out) {
  // `twice`: the program adds C once more.
  const auto product = [&](int rows, int columns, int depth, int bits, bool whole, bool twice) {
    for (int m = 0; m < rows; ++m) {
      for (int n = 0; n < columns; ++n) {
        double sum = (twice ? 2 : 1) * (m + 3 * n);
        for (int k = 0; k < depth; ++k) {
          const double a = whole ? (5 * m + 3 * k) % 11 : (in[16 * m + k] + 0x1p22) / 0x1p25;
          const double b = whole ? (2 * k + 7 * n) % 9 : (in[512 + 32 * k + n] + 0x1p22) / 0x1p25;
          sum += tensor_wmma_rounded(a, bits) * tensor_wmma_rounded(b, bits);
        }
        *out++ = static_cast<float>(sum);
      }
    }
  };
  const auto shapes = [&](int bits, bool whole) {
    product(16, 16, 16, bits, whole, true);
    product(16, 16, 16, bits, whole, true);
    product(32, 8, 16, bits, whole, true);
    product(8, 32, 16, bits, whole, true);
  };
  for (const bool whole : {true, false}) {
    shapes(11, whole);
    shapes(8, whole);
    for (int layout = 0; layout < 2; ++layout) product(16, 16, 8, -11, whole, true);
    for (int layout = 0; layout < 2; ++layout) product(8, 8, 4, 0, whole, true);
  }
  shapes(0, true);
  for (int types = 0; types < 2; ++types) product(16, 16, 16, 0, true, false);
  shapes(0, true);
  product(16, 16, 16, 0, true, true);
  for (int m = 0; m < 16; ++m) {
    for (int n = 0; n < 16; ++n) {
      double sum = 0;
      for (int k = 0; k < 16; ++k) {
        sum += tensor_wmma_rounded(in[16 * m + k] / 0x1p24, -11) *
               tensor_wmma_rounded(in[512 + 32 * n + k] / 0x1p24, -11);
      }
      *out++ = static_cast<float>(sum);
    }
  }
}

#endif
