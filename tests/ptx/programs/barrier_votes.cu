#ifndef HOST

// run: grid=2 block=96 shared=0 args=in:u32:192:random,out:u32:576:zeros
extern "C" __global__ void barrier_votes(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = in[i];
  out[i] = __syncthreads_count(x % 3 == 0);
  out[192 + i] = __syncthreads_and(x % 256 != threadIdx.x) != 0;
  out[384 + i] = __syncthreads_or(x % 128 == threadIdx.x) != 0;
}

#else

void barrier_votes_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 192; ++i) {
    bool all = true, some = false;
    for (unsigned t = 0; t < 96; ++t) {
      const unsigned x = in[i / 96 * 96 + t];
      out[i] += x % 3 == 0;
      all = all && x % 256 != t;
      some = some || x % 128 == t;
    }
    out[192 + i] = all;
    out[384 + i] = some;
  }
}

#endif
