#ifndef HOST

// run: grid=1 block=64 shared=0 args=in:u64:128:random,out:u64:1024:zeros
extern "C" __global__ void wide_arithmetic(const unsigned long long* in, unsigned long long* out) {
  const unsigned t = threadIdx.x;
  const unsigned long long a = in[t], b = in[64 + t] >> (t % 50) | 1;
  const long long s = static_cast<long long>(a),
                  d = static_cast<long long>(b) - 1000 == 0 ? 7 : static_cast<long long>(b) - 1000;
  const unsigned low = static_cast<unsigned>(a), high = static_cast<unsigned>(a >> 32);
  out[t] = a / b;
  out[64 + t] = a % b;
  out[128 + t] = static_cast<unsigned long long>(s / d);
  out[192 + t] = static_cast<unsigned long long>(s % d);
  out[256 + t] = __umul64hi(a, b);
  out[320 + t] = static_cast<unsigned long long>(__mul64hi(s, d));
  out[384 + t] = a * b + (a >> 13);
  out[448 + t] = static_cast<unsigned long long>(s >> t);
  out[512 + t] = a << t ^ b >> (63 - t);
  out[576 + t] = __umulhi(low, high);
  out[640 + t] = static_cast<unsigned>(__mulhi(static_cast<int>(low), static_cast<int>(high)));
  out[704 + t] = __funnelshift_l(low, high, t);
  out[768 + t] = __funnelshift_rc(low, high, t);
  out[832 + t] = static_cast<unsigned long long>(low) * high;
  out[896 + t] = static_cast<unsigned long long>(static_cast<long long>(static_cast<int>(low)) *
                                                 static_cast<int>(high));
  out[960 + t] = a > b ? a - b : (s < d ? 1 : 2);
}

#else

void wide_arithmetic_reference(const std::uint64_t* in, std::uint64_t* out) {
  for (unsigned t = 0; t < 64; ++t) {
    const std::uint64_t a = in[t], b = in[64 + t] >> (t % 50) | 1;
    const auto s = static_cast<std::int64_t>(a);
    auto d = static_cast<std::int64_t>(b - 1000);
    if (d == 0) d = 7;
    const auto low = static_cast<std::uint32_t>(a), high = static_cast<std::uint32_t>(a >> 32);
    out[t] = a / b;
    out[64 + t] = a % b;
    out[128 + t] = static_cast<std::uint64_t>(s / d);
    out[192 + t] = static_cast<std::uint64_t>(s % d);
    out[256 + t] = static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
    out[320 + t] = static_cast<std::uint64_t>(static_cast<__int128>(s) * d >> 64);
    out[384 + t] = a * b + (a >> 13);
    out[448 + t] = static_cast<std::uint64_t>(s >> t);
    out[512 + t] = (a << t) ^ (b >> (63 - t));
    out[576 + t] = static_cast<std::uint64_t>(low) * high >> 32;
    const auto product =
        static_cast<std::int64_t>(static_cast<std::int32_t>(low)) * static_cast<std::int32_t>(high);
    out[640 + t] = static_cast<std::uint64_t>(product) >> 32;
    out[704 + t] = a << (t % 32) >> 32;
    out[768 + t] = t < 32 ? static_cast<std::uint32_t>(a >> t) : high;
    out[832 + t] = static_cast<std::uint64_t>(low) * high;
    out[896 + t] = static_cast<std::uint64_t>(product);
    out[960 + t] = a > b ? a - b : (s < d ? 1 : 2);
  }
}

#endif
