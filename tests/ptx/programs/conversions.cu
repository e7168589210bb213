#ifndef HOST

// run: grid=1 block=64 shared=0 args=in:f32:64,words:u64:64:random,ints:s32:704:zeros,floats:f32:512:zeros,longs:s64:320:zeros
extern "C" __global__ void conversions(const float* in, const unsigned long long* words, int* ints,
                                       float* floats, long long* longs) {
  const unsigned t = threadIdx.x;
  float x = (in[t] - 31.0f) * 0.37f;
  if (t % 16 == 3) x *= 1e9f;
  const double d = static_cast<double>(x) * 1.0000001;
  const unsigned long long w = words[t] >> t;
  const unsigned u = static_cast<unsigned>(words[t]);
  int* i = ints + t;
  i[0] = static_cast<int>(x);
  i[64] = __float2int_rn(x);
  i[128] = __float2int_ru(x);
  i[192] = __float2int_rd(x);
  i[256] = static_cast<int>(__float2uint_rn(x));
  i[320] = static_cast<int>(__float2uint_rz(x));
  i[384] = __double2int_rn(d);
  i[448] = static_cast<int>(__double2uint_ru(d));
  i[512] = static_cast<int>(rintf(x) + floorf(x) * 2.0f) ^ static_cast<int>(truncf(x) - ceilf(x));
  i[576] = static_cast<signed char>(u);
  i[640] = static_cast<unsigned short>(u >> 5);
  float* f = floats + t;
  f[0] = static_cast<float>(u);
  f[64] = __uint2float_rz(u);
  f[128] = __int2float_ru(static_cast<int>(u));
  f[192] = __ull2float_rn(w);
  f[256] = __ll2float_rd(static_cast<long long>(words[t]));
  f[320] = static_cast<float>(d);
  f[384] = __double2float_rz(d);
  f[448] = __saturatef(x);
  long long* l = longs + t;
  l[0] = __float2ll_rn(x);
  l[64] = __double2ll_rd(d);
  l[128] = static_cast<long long>(__float2ull_rz(fabsf(x)));
  l[192] = __double_as_longlong(__ull2double_rz(words[t]));
  l[256] = __double_as_longlong(static_cast<double>(static_cast<int>(u)));
}

#else

#include <cfenv>
#include <cstring>

double host_clamp(double value, double low, double high) {
  return std::min(std::max(value, low), high);
}

std::int32_t host_signed(double value) {
  return static_cast<std::int32_t>(host_clamp(value, -2147483648.0, 2147483647.0));
}

std::int32_t host_unsigned(double value) {
  return static_cast<std::int32_t>(
      static_cast<std::uint32_t>(host_clamp(value, 0.0, 4294967295.0)));
}

template <class From>
float host_float(From value, int mode) {
  volatile From source = value;
  std::fesetround(mode);
  volatile float result = static_cast<float>(source);
  std::fesetround(FE_TONEAREST);
  return result;
}

void conversions_reference(const float* in, const std::uint64_t* words, std::int32_t* ints,
                           float* floats, std::int64_t* longs) {
  for (unsigned t = 0; t < 64; ++t) {
    float x = (in[t] - 31.0f) * 0.37f;
    if (t % 16 == 3) x *= 1e9f;
    const double d = static_cast<double>(x) * 1.0000001;
    const std::uint64_t w = words[t] >> t;
    const auto u = static_cast<std::uint32_t>(words[t]);
    std::int32_t* i = ints + t;
    i[0] = host_signed(std::trunc(x));
    i[64] = host_signed(std::nearbyint(x));
    i[128] = host_signed(std::ceil(x));
    i[192] = host_signed(std::floor(x));
    i[256] = host_unsigned(std::nearbyint(x));
    i[320] = host_unsigned(std::trunc(x));
    i[384] = host_signed(std::nearbyint(d));
    i[448] = host_unsigned(std::ceil(d));
    i[512] = host_signed(std::nearbyint(x) + std::floor(x) * 2.0f) ^
             host_signed(std::trunc(x) - std::ceil(x));
    i[576] = static_cast<std::int8_t>(u);
    i[640] = static_cast<std::uint16_t>(u >> 5);
    float* f = floats + t;
    f[0] = host_float(u, FE_TONEAREST);
    f[64] = host_float(static_cast<std::int64_t>(u), FE_TOWARDZERO);
    f[128] = host_float(static_cast<std::int32_t>(u), FE_UPWARD);
    f[192] = host_float(w, FE_TONEAREST);
    f[256] = host_float(static_cast<std::int64_t>(words[t]), FE_DOWNWARD);
    f[320] = static_cast<float>(d);
    f[384] = host_float(d, FE_TOWARDZERO);
    f[448] = static_cast<float>(host_clamp(x, 0.0, 1.0));
    std::int64_t* l = longs + t;
    l[0] = static_cast<std::int64_t>(std::nearbyint(x));
    l[64] = static_cast<std::int64_t>(std::floor(d));
    l[128] = static_cast<std::int64_t>(std::fabs(x));
    const int unused = words[t] >> 53 == 0 ? 0 : 64 - 53 - __builtin_clzll(words[t]);
    const double exact = static_cast<double>(words[t] >> unused << unused);
    std::memcpy(&l[192], &exact, 8);
    const double small = static_cast<double>(static_cast<std::int32_t>(u));
    std::memcpy(&l[256], &small, 8);
  }
}

#endif
