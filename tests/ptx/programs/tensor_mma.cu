// Products of small integers are exact, of fractions within the tolerance. Lanes take their elements
// as PTX ISA 9.0 lays out the fragments of mma.sync (9.7.14.5): g is the group, t the thread in it.
#ifndef HOST

#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Whole {
  static __device__ float a(const float*, int m, int k) { return (5 * m + 3 * k) % 11 - 5; }
  static __device__ float b(const float*, int k, int n) { return (2 * k + 7 * n) % 9 - 4; }
};
struct Fraction {
  static __device__ float of(float x) { return (x + 0x1p22f) * 0x1p-25f; }
  static __device__ float a(const float* in, int m, int k) { return of(in[16 * m + k]); }
  static __device__ float b(const float* in, int k, int n) { return of(in[256 + 8 * k + n]); }
};

__device__ unsigned pair(float low, float high, __half) {
  const __half2 both = __floats2half2_rn(low, high);
  return reinterpret_cast<const unsigned&>(both);
}
__device__ unsigned pair(float low, float high, __nv_bfloat16) {
  const __nv_bfloat162 both = __floats2bfloat162_rn(low, high);
  return reinterpret_cast<const unsigned&>(both);
}
__device__ unsigned tf32(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits | 0x1234;  // what the tensor core ignores
}

#define SUM "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
#define MMA_2_1(type)                                                                   \
  asm volatile("mma.sync.aligned." type " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" \
               : SUM                                                                    \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]))
#define MMA_4_2(type)                                                                            \
  asm volatile("mma.sync.aligned." type " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
               : SUM                                                                             \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))

template <class V, class H, int K>
__device__ void halves(const float* in, float* out, bool wide) {
  const int g = threadIdx.x >> 2, t = threadIdx.x & 3;
  unsigned a[4], b[2];
  for (int i = 0; i < K / 2; i += 2) {
    const int row = i < 2 || (i >= 4 && i < 6) ? g : g + 8;
    const int column = i < 4 ? t * 2 : t * 2 + 8;
    a[i / 2] = pair(V::a(in, row, column), V::a(in, row, column + 1), H());
  }
  for (int i = 0; i < K / 4; i += 2) {
    const int row = i < 2 ? t * 2 : t * 2 + 8;
    b[i / 2] = pair(V::b(in, row, g), V::b(in, row + 1, g), H());
  }
  float c[4];
  for (int i = 0; i < 4; ++i) c[i] = (i < 2 ? g : g + 8) - 2 * (t * 2 + (i & 1)) + 30;
  if constexpr (sizeof(H) == 2 && K == 16) {
    if constexpr (__is_same(H, __half)) {
      if (wide) {
        MMA_4_2("m16n8k16.row.col.f32.f16.f16.f32");
      } else {
        unsigned d[2] = {pair(c[0], c[1], H()), pair(c[2], c[3], H())};
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, "
            "{%6,%7}, {%0,%1};"
            : "+r"(d[0]), "+r"(d[1])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
        for (int i = 0; i < 4; ++i) c[i] = __half2float(reinterpret_cast<__half*>(d)[i]);
      }
    } else {
      MMA_4_2("m16n8k16.row.col.f32.bf16.bf16.f32");
    }
  } else if constexpr (__is_same(H, __half)) {
    if (wide) {
      MMA_2_1("m16n8k8.row.col.f32.f16.f16.f32");
    } else {
      unsigned d[2] = {pair(c[0], c[1], H()), pair(c[2], c[3], H())};
      asm volatile(
          "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, "
          "{%0,%1};"
          : "+r"(d[0]), "+r"(d[1])
          : "r"(a[0]), "r"(a[1]), "r"(b[0]));
      for (int i = 0; i < 4; ++i) c[i] = __half2float(reinterpret_cast<__half*>(d)[i]);
    }
  } else {
    MMA_2_1("m16n8k8.row.col.f32.bf16.bf16.f32");
  }
  for (int i = 0; i < 4; ++i) out[(i < 2 ? g : g + 8) * 8 + t * 2 + (i & 1)] = c[i];
}

template <class V, int K>
__device__ void tf32s(const float* in, float* out) {
  const int g = threadIdx.x >> 2, t = threadIdx.x & 3;
  unsigned a[4], b[2];
  for (int i = 0; i < K / 2; ++i) {
    a[i] = tf32(V::a(in, i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4));
  }
  for (int i = 0; i < K / 4; ++i) b[i] = tf32(V::b(in, i == 0 ? t : t + 4, g));
  float c[4];
  for (int i = 0; i < 4; ++i) c[i] = (i < 2 ? g : g + 8) - 2 * (t * 2 + (i & 1)) + 30;
  if constexpr (K == 8) {
    MMA_4_2("m16n8k8.row.col.f32.tf32.tf32.f32");
  } else {
    MMA_2_1("m16n8k4.row.col.f32.tf32.tf32.f32");
  }
  for (int i = 0; i < 4; ++i) out[(i < 2 ? g : g + 8) * 8 + t * 2 + (i & 1)] = c[i];
}

#define DOUBLES "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
template <class V, int K>
__device__ void doubles(const float* in, float* out) {
  const int g = threadIdx.x >> 2, t = threadIdx.x & 3;
  double a[8], b[4], c[4];
  for (int i = 0; i < K / 2; ++i) a[i] = V::a(in, i % 2 == 0 ? g : g + 8, t + i / 2 * 4);
  for (int i = 0; i < K / 4; ++i) b[i] = V::b(in, t + i * 4, g);
  for (int i = 0; i < 4; ++i) c[i] = (i < 2 ? g : g + 8) - 2 * (t * 2 + (i & 1)) + 30;
  if constexpr (K == 16) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, "
        "{%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%0,%1,%2,%3};"
        : DOUBLES
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
          "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
  } else if constexpr (K == 8) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, "
        "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : DOUBLES
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
  } else {
    double lower[2] = {c[2], c[3]};  // both instructions have these rows
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(lower[0]), "+d"(lower[1])
                 : "d"(a[1]), "d"(b[0]));
    asm volatile(
        "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
        "{%0,%1,%2,%3};"
        : DOUBLES
        : "d"(a[0]), "d"(a[1]), "d"(b[0]));
    for (int i = 0; i < 2; ++i) c[2 + i] = c[2 + i] == lower[i] ? lower[i] : -1000;
  }
  for (int i = 0; i < 4; ++i) out[(i < 2 ? g : g + 8) * 8 + t * 2 + (i & 1)] = c[i];
}

// Bytes that mean another number without a sign.
__device__ unsigned left(int m, int k) { return (37 * m + 11 * k) & 255; }
__device__ unsigned right(int k, int n) { return (91 * k + 53 * n + 128) & 255; }
#define BYTES(type)                                                                              \
  asm volatile("mma.sync.aligned." type " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])                                  \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define HALF_BYTES(type)                                                                \
  asm volatile("mma.sync.aligned." type " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" \
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])                         \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]))

template <int variant>
__device__ void bytes(unsigned* out) {
  const int g = threadIdx.x >> 2, t = threadIdx.x & 3;
  unsigned a[4] = {}, b[2] = {}, c[4];
  for (int i = 0; i < 16; ++i) {
    const int row = i < 4 || (i >= 8 && i < 12) ? g : g + 8;
    const int column = t * 4 + (i & 3) + (i < 8 ? 0 : 16);
    a[i / 4] |= left(row, column) << i % 4 * 8;
    if (i < 8) b[i / 4] |= right(t * 4 + (i & 3) + (i < 4 ? 0 : 16), g) << i % 4 * 8;
  }
  for (int i = 0; i < 4; ++i) c[i] = i % 2 == 0 ? 0x7FFF0000 : 0x80010000;
  if constexpr (variant == 0) BYTES("m16n8k32.row.col.s32.s8.s8.s32");
  if constexpr (variant == 1) BYTES("m16n8k32.row.col.satfinite.s32.s8.s8.s32");
  if constexpr (variant == 2) BYTES("m16n8k32.row.col.satfinite.s32.u8.u8.s32");
  if constexpr (variant == 3) BYTES("m16n8k32.row.col.s32.u8.s8.s32");
  if constexpr (variant == 4) HALF_BYTES("m16n8k16.row.col.satfinite.s32.s8.u8.s32");
  if constexpr (variant == 5) HALF_BYTES("m16n8k16.row.col.s32.s8.s8.s32");
  for (int i = 0; i < 4; ++i) out[128 * variant + (i < 2 ? g : g + 8) * 8 + t * 2 + (i & 1)] = c[i];
}

template <class V>
__device__ void floats(const float* in, float* out) {
  halves<V, __half, 16>(in, out, true);
  halves<V, __half, 8>(in, out + 128, true);
  halves<V, __nv_bfloat16, 16>(in, out + 256, true);
  halves<V, __nv_bfloat16, 8>(in, out + 384, true);
  tf32s<V, 8>(in, out + 512);
  tf32s<V, 4>(in, out + 640);
  doubles<V, 16>(in, out + 768);
  doubles<V, 8>(in, out + 896);
  doubles<V, 4>(in, out + 1024);
}

// run: grid=1 block=32 shared=0 args=in:f32:384:random,out:f32:2560:zeros,whole:u32:768:zeros
// tolerance: 1e-5 relative
extern "C" __global__ void tensor_mma(const float* in, float* out, unsigned* whole) {
  floats<Whole>(in, out);
  halves<Whole, __half, 16>(in, out + 1152, false);
  halves<Whole, __half, 8>(in, out + 1280, false);
  floats<Fraction>(in, out + 1408);
  bytes<0>(whole);
  bytes<1>(whole);
  bytes<2>(whole);
  bytes<3>(whole);
  bytes<4>(whole);
  bytes<5>(whole);
}

#else

// To so many significant bits; ties go to even numbers, of tf32 away from zero.
double tensor_mma_rounded(double x, int bits) {
  if (x == 0 || bits == 0) return x;
  const double step = std::ldexp(1.0, std::ilogb(x) + 1 - std::abs(bits));
  return (bits < 0 ? std::round(x / step) : std::nearbyint(x / step)) * step;
}

void tensor_mma_reference(const float* in, float* out, std::uint32_t* whole) {
  const int depth[] = {16, 8, 16, 8, 8, 4, 16, 8, 4, 16, 8};
  const int bits[] = {11, 11, 8, 8, -11, -11, 0, 0, 0, 11, 11};
  for (int block = 0; block < 20; ++block) {
    const bool is_whole = block < 11;
    const int kind = is_whole ? block : block - 11;
    for (int m = 0; m < 16; ++m) {
      for (int n = 0; n < 8; ++n) {
        double sum = m - 2 * n + 30;
        for (int k = 0; k < depth[kind]; ++k) {
          const double a = is_whole ? (5 * m + 3 * k) % 11 - 5 : (in[16 * m + k] + 0x1p22) / 0x1p25;
          const double b =
              is_whole ? (2 * k + 7 * n) % 9 - 4 : (in[256 + 8 * k + n] + 0x1p22) / 0x1p25;
          sum += tensor_mma_rounded(a, bits[kind]) * tensor_mma_rounded(b, bits[kind]);
        }
        out[128 * block + 8 * m + n] = static_cast<float>(sum);
      }
    }
  }
  const bool signs[6][2] = {{true, true},  {true, true},  {false, false},
                            {false, true}, {true, false}, {true, true}};
  for (int block = 0; block < 6; ++block) {
    const auto number = [&](int byte, int side) {
      return signs[block][side] && byte % 256 > 127 ? byte % 256 - 256 : byte % 256;
    };
    for (int m = 0; m < 16; ++m) {
      for (int n = 0; n < 8; ++n) {
        std::int64_t sum = n % 2 == 0 ? 0x7FFF0000 : -0x7FFF0000LL;
        for (int k = 0; k < (block < 4 ? 32 : 16); ++k) {
          sum += number(37 * m + 11 * k, 0) * number(91 * k + 53 * n + 128, 1);
        }
        const bool saturates = block == 1 || block == 2 || block == 4;
        if (saturates)
          sum = std::max<std::int64_t>(std::min<std::int64_t>(sum, INT32_MAX), INT32_MIN);
        whole[128 * block + 8 * m + n] = static_cast<std::uint32_t>(sum);
      }
    }
  }
}

#endif
