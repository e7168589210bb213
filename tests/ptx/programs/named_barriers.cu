#ifndef HOST

// run: grid=1 block=128 shared=0 args=in:u32:256:random,out:u32:64:zeros
extern "C" __global__ void named_barriers(const unsigned* in, unsigned* out) {
  __shared__ unsigned slots[64];
  const unsigned t = threadIdx.x;
  if (t < 64) {
    for (unsigned k = 0; k < 4; ++k) {
      if (k > 0) asm volatile("bar.sync 2, 128;" ::: "memory");
      slots[t] = in[64 * k + t];
      __threadfence_block();
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    }
  } else {
    unsigned sum = 0;
    for (unsigned k = 0; k < 4; ++k) {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      sum = 31 * sum + slots[127 - t];
      __threadfence_block();
      if (k < 3) asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
    out[t - 64] = sum;
  }
}

#else

void named_barriers_reference(const unsigned* in, unsigned* out) {
  for (unsigned t = 0; t < 64; ++t)
    for (unsigned k = 0; k < 4; ++k) out[t] = 31 * out[t] + in[64 * k + 63 - t];
}

#endif
