#ifndef HOST

// run: grid=1 block=64 shared=0 args=in:u32:64:random,out:u32:512:zeros
extern "C" __global__ void votes(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  const unsigned x = in[t];
  out[t] = __ballot_sync(0xffffffffu, x & 1);
  out[64 + t] = __any_sync(0xffffffffu, x % 64 == 0);
  out[128 + t] = __all_sync(0xffffffffu, x % 64 != 0);
  out[192 + t] = __match_any_sync(0xffffffffu, x % 5);
  int same = 0;
  out[256 + t] = __match_all_sync(0xffffffffu, t / 32 == 0 ? 7 : x, &same);
  out[320 + t] = same != 0;
  out[384 + t] = __activemask() >> (t % 32) & 1;
  const unsigned odd = __ballot_sync(0xffffffffu, x & 1);
  if (x & 1) out[448 + t] = __ballot_sync(odd, x & 2);
}

#else

void votes_reference(const unsigned* in, unsigned* out) {
  for (unsigned t = 0; t < 64; ++t) {
    const unsigned warp = t / 32 * 32;
    unsigned odd = 0, pairs = 0, matches = 0;
    bool any = false, same = true;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned y = in[warp + lane];
      odd |= (y & 1) << lane;
      if ((y & 3) == 3) pairs |= 1u << lane;
      if (y % 5 == in[t] % 5) matches |= 1u << lane;
      any = any || y % 64 == 0;
      same = same && (warp == 0 || y == in[warp]);
    }
    out[t] = odd;
    out[64 + t] = any;
    out[128 + t] = !any;
    out[192 + t] = matches;
    out[256 + t] = same ? 0xffffffffu : 0;
    out[320 + t] = same;
    out[384 + t] = 1;
    if (in[t] & 1) out[448 + t] = pairs;
  }
}

#endif
