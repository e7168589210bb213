#ifndef HOST

// run: grid=1 block=128 shared=0 args=in:u32:128:random,out:u32:128:zeros
extern "C" __global__ void radix_split(const unsigned* in, unsigned* out) {
  __shared__ unsigned keys[128];
  __shared__ unsigned zeros[4];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  unsigned key = in[t] & 0xff;
  for (unsigned bit = 0; bit < 8; ++bit) {
    const bool one = key >> bit & 1;
    const unsigned votes = __ballot_sync(0xffffffffu, !one);
    if (lane == 0) zeros[warp] = __popc(votes);
    __syncthreads();
    unsigned before = __popc(votes & ((1u << lane) - 1)), total = 0;
    for (unsigned w = 0; w < 4; ++w) {
      if (w < warp) before += zeros[w];
      total += zeros[w];
    }
    keys[one ? total + t - before : before] = key;
    __syncthreads();
    key = keys[t];
  }
  out[t] = key;
}

#else

void radix_split_reference(const unsigned* in, unsigned* out) {
  for (unsigned t = 0; t < 128; ++t) out[t] = in[t] & 0xff;
  std::sort(out, out + 128);
}

#endif
