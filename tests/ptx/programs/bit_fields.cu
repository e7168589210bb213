#ifndef HOST

// run: grid=1 block=64 shared=0 args=in:u32:64:random,out:u32:576:zeros
extern "C" __global__ void bit_fields(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  const unsigned x = in[t], y = in[(t + 17) % 64];
  const unsigned position = t % 40, length = y % 35;
  unsigned r;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(position), "r"(length));
  out[t] = r;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(t % 31), "r"(y % 33));
  out[64 + t] = r;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(x), "r"(y), "r"(position), "r"(length));
  out[128 + t] = r;
  asm("lop3.b32 %0, %1, %2, %3, 0xCA;" : "=r"(r) : "r"(x), "r"(y), "r"(x >> 5));
  out[192 + t] = r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(0x8b3fu));
  out[256 + t] = r;
  asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(t));
  out[320 + t] = r;
  asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(t));
  out[384 + t] = r;
  asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(t < 62 ? x >> (t % 32) : 0u));
  out[448 + t] = r;
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(t));
  out[512 + t] = r;
}

#else

void bit_fields_reference(const std::uint32_t* in, std::uint32_t* out) {
  for (unsigned t = 0; t < 64; ++t) {
    const std::uint32_t x = in[t], y = in[(t + 17) % 64];
    const unsigned position = t % 40, length = y % 35;
    const std::uint64_t field = (std::uint64_t{1} << length) - 1;
    out[t] = static_cast<std::uint32_t>((static_cast<std::uint64_t>(x) >> position) & field);
    const unsigned first = t % 31, count = y % 33;
    const unsigned sign = first + count - 1 < 31 ? first + count - 1 : 31;
    std::uint32_t extracted = 0;
    for (unsigned k = 0; k < 32 && count > 0; ++k)
      extracted |= (x >> (k < count && first + k <= 31 ? first + k : sign) & 1) << k;
    out[64 + t] = extracted;
    const auto mask = static_cast<std::uint32_t>(field << position);
    out[128 + t] = (y & ~mask) |
                   (static_cast<std::uint32_t>(static_cast<std::uint64_t>(x) << position) & mask);
    out[192 + t] = (x & y) | (~x & (x >> 5));
    const auto top = [](std::uint32_t word, unsigned byte) {
      return word >> (8 * byte + 7) & 1 ? 0xffu : 0u;
    };
    out[256 + t] = top(y, 3) | (x >> 24) << 8 | top(x, 3) << 16 | top(x, 0) << 24;
    out[320 + t] = t < 32 ? x << t : 0;
    out[384 + t] = static_cast<std::uint32_t>(static_cast<std::int32_t>(x) >> (t < 32 ? t : 31));
    const std::uint32_t z = t < 62 ? x >> (t % 32) : 0;
    out[448 + t] = ~0u;
    for (unsigned k = 0; k < 32; ++k)
      if (z >> k & 1) out[448 + t] = k;
    out[512 + t] = (x > y ? x - y : y - x) + t;
  }
}

#endif
