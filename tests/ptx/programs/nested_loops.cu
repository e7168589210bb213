#ifndef HOST

// run: grid=2 block=64 shared=0 args=in:u32:128,out:u32:128:zeros
extern "C" __global__ void nested_loops(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned primes = 0;
  for (unsigned n = 2; n < in[i]; ++n) {
    if (n % 5 == 4) continue;
    bool prime = true;
    for (unsigned d = 2; d * d <= n; ++d) {
      if (n % d == 0) {
        prime = false;
        break;
      }
    }
    if (!prime) continue;
    primes += n;
    if (primes > 500) break;
  }
  out[i] = primes;
}

#else

void nested_loops_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 128; ++i) {
    unsigned sum = 0;
    for (unsigned n = 2; n < in[i] && sum <= 500; ++n) {
      bool prime = n % 5 != 4;
      for (unsigned d = 2; d < n; ++d) prime = prime && n % d != 0;
      if (prime) sum += n;
    }
    out[i] = sum;
  }
}

#endif
