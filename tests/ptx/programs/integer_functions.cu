#ifndef HOST

// run: grid=1 block=64 shared=0 args=in:u32:128:random,out:u32:832:zeros
extern "C" __global__ void integer_functions(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  const unsigned a = in[t], b = in[64 + t];
  const int s = static_cast<int>(a), d = static_cast<int>(b);
  unsigned* o = out + t;
  o[0] = min(a, b);
  o[64] = max(a, b);
  o[128] = static_cast<unsigned>(min(s, d));
  o[192] = static_cast<unsigned>(max(s, d));
  o[256] = static_cast<unsigned>(abs(s / 2));
  o[320] = __usad(a, b, t);
  o[384] = __sad(s / 4, d / 4, t);
  o[448] = __uhadd(a, b) ^ __urhadd(a, b) << 1;
  o[512] = static_cast<unsigned>(__mul24(s, d)) + __umul24(a, b);
  o[576] = __dp4a(a, b, t);
  o[640] = static_cast<unsigned>(__dp4a(s, d, -7));
  o[704] = static_cast<unsigned>(s / 7 + s % 13 - (d >> 3));
  o[768] = a / 10 * 7 + b % 1000 + a / (b % 97 + 1);
}

#else

void integer_functions_reference(const std::uint32_t* in, std::uint32_t* out) {
  for (unsigned t = 0; t < 64; ++t) {
    const std::uint32_t a = in[t], b = in[64 + t];
    const auto s = static_cast<std::int32_t>(a), d = static_cast<std::int32_t>(b);
    const std::uint64_t sum = static_cast<std::uint64_t>(a) + b;
    std::uint32_t* o = out + t;
    o[0] = std::min(a, b);
    o[64] = std::max(a, b);
    o[128] = static_cast<std::uint32_t>(std::min(s, d));
    o[192] = static_cast<std::uint32_t>(std::max(s, d));
    o[256] = static_cast<std::uint32_t>(s / 2 < 0 ? -(s / 2) : s / 2);
    o[320] = (a > b ? a - b : b - a) + t;
    o[384] = static_cast<std::uint32_t>(s / 4 > d / 4 ? s / 4 - d / 4 : d / 4 - s / 4) + t;
    o[448] = static_cast<std::uint32_t>(sum / 2) ^ static_cast<std::uint32_t>((sum + 1) / 2) << 1;
    const std::int64_t left = static_cast<std::int32_t>(a << 8) >> 8,
                       right = static_cast<std::int32_t>(b << 8) >> 8;
    o[512] = static_cast<std::uint32_t>(left * right) + (a & 0xffffff) * (b & 0xffffff);
    o[576] = t;
    o[640] = static_cast<std::uint32_t>(-7);
    for (unsigned k = 0; k < 32; k += 8) {
      o[576] += (a >> k & 0xff) * (b >> k & 0xff);
      o[640] += static_cast<std::uint32_t>(static_cast<std::int8_t>(a >> k) *
                                           static_cast<std::int8_t>(b >> k));
    }
    o[704] = static_cast<std::uint32_t>(s / 7 + s % 13 - (d >> 3));
    o[768] = a / 10 * 7 + b % 1000 + a / (b % 97 + 1);
  }
}

#endif
