#ifndef HOST

// run: grid=2 block=64 shared=0 args=in:u32:128:random,out:u32:1024:zeros
extern "C" __global__ void warp_reductions(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = in[i];
  const int s = static_cast<int>(x);
  out[i] = __reduce_add_sync(0xffffffffu, x);
  out[128 + i] = __reduce_min_sync(0xffffffffu, x);
  out[256 + i] = __reduce_max_sync(0xffffffffu, x);
  out[384 + i] = __reduce_and_sync(0xffffffffu, x | 0xf0u);
  out[512 + i] = __reduce_or_sync(0xffffffffu, x & 0xff00ffu);
  out[640 + i] = __reduce_xor_sync(0xffffffffu, x);
  out[768 + i] = static_cast<unsigned>(__reduce_min_sync(0xffffffffu, s));
  const unsigned lanes = __ballot_sync(0xffffffffu, i % 3 == 0);
  if (i % 3 == 0) out[896 + i] = __reduce_add_sync(lanes, x);
}

#else

void warp_reductions_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 128; ++i) {
    unsigned sum = 0, low = ~0u, high = 0, all = ~0u, some = 0, parity = 0, third = 0;
    int least = 0x7fffffff;
    for (unsigned k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) {
      sum += in[k];
      low = std::min(low, in[k]);
      high = std::max(high, in[k]);
      all &= in[k] | 0xf0u;
      some |= in[k] & 0xff00ffu;
      parity ^= in[k];
      least = std::min(least, static_cast<int>(in[k]));
      if (k % 3 == 0) third += in[k];
    }
    out[i] = sum;
    out[128 + i] = low;
    out[256 + i] = high;
    out[384 + i] = all;
    out[512 + i] = some;
    out[640 + i] = parity;
    out[768 + i] = static_cast<unsigned>(least);
    if (i % 3 == 0) out[896 + i] = third;
  }
}

#endif
