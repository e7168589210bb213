#ifndef HOST

#include <cuda_fp16.h>

// run: grid=1 block=64 shared=0 args=in:f32:64,out:u16:512:zeros,back:f32:64:zeros
extern "C" __global__ void half_math(const float* in, unsigned short* out, float* back) {
  const unsigned t = threadIdx.x;
  const __half a = __float2half_rn(in[t] * 0.37f - 5.0f);
  const __half b = __float2half_rn(in[63 - t] * 0.011f + 0.5f);
  const __half2 pair = __halves2half2(a, b);
  out[t] = __half_as_ushort(__hadd(a, b));
  out[64 + t] = __half_as_ushort(__hsub(a, b));
  out[128 + t] = __half_as_ushort(__hmul(a, b));
  out[192 + t] = __half_as_ushort(__hfma(a, b, a));
  out[256 + t] = __half_as_ushort(__hlt(a, b) ? a : b);
  out[320 + t] = __half_as_ushort(__low2half(__hmul2(pair, pair)));
  out[384 + t] = __half_as_ushort(__high2half(__hadd2(pair, __halves2half2(b, a))));
  out[448 + t] = __half_as_ushort(__float2half_rz(in[t] * 1.3e-6f));
  back[t] = __half2float(a);
}

#else

double host_step(double value) {
  const int exponent = value == 0.0 ? -14 : std::ilogb(value);
  return std::ldexp(1.0, (exponent < -14 ? -14 : exponent) - 10);
}

double host_nearest(double value) {
  return std::nearbyint(value / host_step(value)) * host_step(value);
}

std::uint16_t host_bits(double value) {
  const unsigned sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::fabs(value), step = host_step(size);
  const auto digits = static_cast<unsigned>(size / step);
  const int exponent = std::ilogb(step) + 24;
  return static_cast<std::uint16_t>(sign + static_cast<unsigned>(exponent) * 1024 + digits);
}

void half_math_reference(const float* in, std::uint16_t* out, float* back) {
  for (unsigned t = 0; t < 64; ++t) {
    const float scaled = in[t] * 0.37f, small = in[63 - t] * 0.011f;
    const double a = host_nearest(scaled - 5.0f), b = host_nearest(small + 0.5f);
    out[t] = host_bits(host_nearest(a + b));
    out[64 + t] = host_bits(host_nearest(a - b));
    out[128 + t] = host_bits(host_nearest(a * b));
    out[192 + t] = host_bits(host_nearest(a * b + a));
    out[256 + t] = host_bits(a < b ? a : b);
    out[320 + t] = host_bits(host_nearest(a * a));
    out[384 + t] = host_bits(host_nearest(a + b));
    const double tiny = in[t] * 1.3e-6f;
    out[448 + t] = host_bits(std::trunc(tiny / host_step(tiny)) * host_step(tiny));
    back[t] = static_cast<float>(a);
  }
}

#endif
