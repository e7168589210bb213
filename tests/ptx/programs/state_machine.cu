#ifndef HOST

// run: grid=1 block=64 shared=0 args=in:u32:64:random,out:u32:64:zeros
extern "C" __global__ void state_machine(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  unsigned bits = in[i], left = 32, count = 0, longest = 0, run = 0;
zeros:
  if (left == 0) goto end;
  --left;
  if (bits >> left & 1) {
    run = 1;
    goto ones;
  }
  goto zeros;
ones:
  if (run > longest) longest = run;
  if (left == 0) goto end;
  --left;
  if (bits >> left & 1) {
    ++run;
    goto ones;
  }
  ++count;
  goto zeros;
end:
  out[i] = longest * 100 + count;
}

#else

void state_machine_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 64; ++i) {
    unsigned longest = 0, run = 0, count = 0;
    for (int bit = 31; bit >= 0; --bit) {
      if (in[i] >> bit & 1) {
        ++run;
        if (run > longest) longest = run;
      } else {
        if (run > 0) ++count;
        run = 0;
      }
    }
    out[i] = longest * 100 + count;
  }
}

#endif
