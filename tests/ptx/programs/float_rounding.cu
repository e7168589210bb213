#ifndef HOST

// run: grid=1 block=64 shared=0 args=in:f32:64,out:f32:1152:zeros
extern "C" __global__ void float_rounding(const float* in, float* out) {
  const unsigned t = threadIdx.x;
  const float x = 0.1f * (in[t] + 1.0f), y = in[t] * 0.7f - 20.3f, z = 1.0f / (in[t] + 3.0f);
  float* o = out + t;
  o[0] = __fadd_rn(x, y);
  o[64] = __fadd_rz(x, y);
  o[128] = __fadd_ru(x, y);
  o[192] = __fadd_rd(x, y);
  o[256] = __fmul_rz(y, z);
  o[320] = __fmul_ru(y, z);
  o[384] = __fmul_rd(y, z);
  o[448] = __fdiv_rz(y, x);
  o[512] = __fdiv_ru(y, x);
  o[576] = fmaf(x, y, z);
  o[640] = __fmaf_rz(x, y, z);
  o[704] = __fmaf_ru(x, y, z);
  o[768] = __fsqrt_rn(x);
  o[832] = __fsqrt_rd(x);
  o[896] = __frcp_rn(x);
  o[960] = __frcp_rz(x);
  o[1024] = x * y + z;
  o[1088] = y / x - sqrtf(z);
}

#else

#include <cfenv>

void float_rounding_reference(const float* in, float* out) {
  for (unsigned t = 0; t < 64; ++t) {
    const volatile float x = 0.1f * (in[t] + 1.0f), scaled = in[t] * 0.7f, y = scaled - 20.3f,
                         z = 1.0f / (in[t] + 3.0f);
    const volatile float one = 1.0f;
    const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    float sums[4], products[4], ratios[4], fused[4], roots[4], inverses[4];
    for (int k = 0; k < 4; ++k) {
      std::fesetround(modes[k]);
      volatile float result = x + y;
      sums[k] = result;
      result = y * z;
      products[k] = result;
      result = y / x;
      ratios[k] = result;
      result = std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
      fused[k] = result;
      result = std::sqrt(static_cast<float>(x));
      roots[k] = result;
      result = one / x;
      inverses[k] = result;
      std::fesetround(FE_TONEAREST);
    }
    float* o = out + t;
    for (int k = 0; k < 4; ++k) o[64 * k] = sums[k];
    for (int k = 1; k < 4; ++k) o[64 * (3 + k)] = products[k];
    o[448] = ratios[1];
    o[512] = ratios[2];
    for (int k = 0; k < 3; ++k) o[64 * (9 + k)] = fused[k];
    o[768] = roots[0];
    o[832] = roots[3];
    o[896] = inverses[0];
    o[960] = inverses[1];
    const volatile float product = x * y;
    o[1024] = product + z;
    o[1088] = y / x - std::sqrt(static_cast<float>(z));
  }
}

#endif
