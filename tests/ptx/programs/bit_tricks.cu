#ifndef HOST

// run: grid=1 block=64 shared=0 args=in:u32:64:random,out:u32:768:zeros
extern "C" __global__ void bit_tricks(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  const unsigned x = t < 60 ? in[t] : t - 60, y = in[63 - t];
  const unsigned long long w = t == 62 ? 0 : static_cast<unsigned long long>(x) << (t % 33) | t % 2;
  out[t] = __brev(x);
  out[64 + t] = __popc(x) + 100 * __popcll(w);
  out[128 + t] = __clz(x) + 100 * __clzll(w);
  out[192 + t] = __ffs(x) + 100 * __ffsll(static_cast<long long>(w));
  out[256 + t] = __byte_perm(x, y, 0x7250);
  out[320 + t] = __byte_perm(x, y, y & 0x7777);
  out[384 + t] = x & (x - 1);
  out[448 + t] = __funnelshift_lc(x, y, y % 64);
  out[512 + t] = __funnelshift_r(x, y, y);
  out[576 + t] = static_cast<unsigned>(__brevll(w) >> 20);
  out[640 + t] = (x & y) | (~x & (y >> 3)) ^ (x << 4);
  out[704 + t] = x >> (y % 32) | x << (-y % 32);
}

#else

std::uint64_t host_reverse(std::uint64_t x, unsigned bits) {
  std::uint64_t result = 0;
  for (unsigned k = 0; k < bits; ++k) result |= (x >> k & 1) << (bits - 1 - k);
  return result;
}

unsigned host_ones(std::uint64_t x) {
  unsigned count = 0;
  for (; x != 0; x >>= 1) count += x & 1;
  return count;
}

unsigned host_leading(std::uint64_t x, unsigned bits) {
  unsigned count = 0;
  while (count < bits && (x >> (bits - 1 - count) & 1) == 0) ++count;
  return count;
}

unsigned host_first(std::uint64_t x) {
  for (unsigned k = 0; k < 64; ++k)
    if (x >> k & 1) return k + 1;
  return 0;
}

std::uint32_t host_permute(std::uint32_t x, std::uint32_t y, std::uint32_t selector) {
  const std::uint64_t both = static_cast<std::uint64_t>(y) << 32 | x;
  std::uint32_t result = 0;
  for (unsigned k = 0; k < 4; ++k)
    result |= static_cast<std::uint32_t>(both >> (8 * (selector >> (4 * k) & 7)) & 0xff) << (8 * k);
  return result;
}

void bit_tricks_reference(const std::uint32_t* in, std::uint32_t* out) {
  for (unsigned t = 0; t < 64; ++t) {
    const std::uint32_t x = t < 60 ? in[t] : t - 60, y = in[63 - t];
    const std::uint64_t w = t == 62 ? 0 : static_cast<std::uint64_t>(x) << (t % 33) | t % 2;
    const std::uint64_t both = static_cast<std::uint64_t>(y) << 32 | x;
    out[t] = static_cast<std::uint32_t>(host_reverse(x, 32));
    out[64 + t] = host_ones(x) + 100 * host_ones(w);
    out[128 + t] = host_leading(x, 32) + 100 * host_leading(w, 64);
    out[192 + t] = host_first(x) + 100 * host_first(w);
    out[256 + t] = host_permute(x, y, 0x7250);
    out[320 + t] = host_permute(x, y, y & 0x7777);
    out[384 + t] = x & (x - 1);
    const unsigned left = y % 64 < 32 ? y % 64 : 32;
    out[448 + t] = left == 32 ? x : static_cast<std::uint32_t>(both << left >> 32);
    out[512 + t] = static_cast<std::uint32_t>(both >> (y % 32));
    out[576 + t] = static_cast<std::uint32_t>(host_reverse(w, 64) >> 20);
    out[640 + t] = (x & y) | ((~x & (y >> 3)) ^ (x << 4));
    out[704 + t] = x >> (y % 32) | x << (-y % 32);
  }
}

#endif
