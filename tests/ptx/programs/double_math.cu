#ifndef HOST

// run: grid=1 block=64 shared=0 args=in:f64:64,out:f64:640:zeros
extern "C" __global__ void double_math(const double* in, double* out) {
  const unsigned t = threadIdx.x;
  const double x = 0.1 * (in[t] + 1.0), y = in[t] * 0.7 - 20.3;
  double* o = out + t;
  o[0] = x + y;
  o[64] = x * y - 3.0;
  o[128] = y / x;
  o[192] = sqrt(x);
  o[256] = fma(x, y, 0.3);
  o[320] = __dadd_ru(x, y);
  o[384] = __dmul_rd(x, y);
  o[448] = floor(y) + rint(x) * 16.0;
  o[512] = fmin(x, y) + fmax(x, fabs(y)) * 2.0;
  o[576] = x < y ? copysign(x, y) : trunc(y);
}

#else

#include <cfenv>

void double_math_reference(const double* in, double* out) {
  for (unsigned t = 0; t < 64; ++t) {
    const volatile double x = 0.1 * (in[t] + 1.0), scaled = in[t] * 0.7, y = scaled - 20.3;
    double* o = out + t;
    o[0] = x + y;
    const volatile double product = x * y;
    o[64] = product - 3.0;
    o[128] = y / x;
    o[192] = std::sqrt(x);
    o[256] = std::fma(x, y, 0.3);
    std::fesetround(FE_UPWARD);
    const volatile double up = x + y;
    std::fesetround(FE_DOWNWARD);
    const volatile double down = x * y;
    std::fesetround(FE_TONEAREST);
    o[320] = up;
    o[384] = down;
    o[448] = std::floor(y) + std::nearbyint(x) * 16.0;
    o[512] = std::fmin(x, y) + std::fmax(x, std::fabs(y)) * 2.0;
    o[576] = x < y ? std::copysign(x, y) : std::trunc(y);
  }
}

#endif
