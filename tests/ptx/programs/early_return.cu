#ifndef HOST

// run: grid=2 block=64 shared=0 args=in:u32:128,out:u32:128:zeros,100
extern "C" __global__ void early_return(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long x = in[i];
  for (unsigned step = 0; step < 60; ++step) {
    if (x <= 1) {
      out[i] = step;
      return;
    }
    x = x % 2 ? 3 * x + 1 : x / 2;
    if (x > 4000) {
      out[i] = 1000 + step;
      return;
    }
  }
  out[i] = static_cast<unsigned>(x) + 10000;
}

#else

void early_return_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 100; ++i) {
    unsigned long long x = in[i];
    unsigned result = 0;
    bool done = false;
    for (unsigned step = 0; step < 60 && !done; ++step) {
      if (x <= 1) {
        result = step;
        done = true;
        break;
      }
      x = x % 2 ? 3 * x + 1 : x / 2;
      if (x > 4000) {
        result = 1000 + step;
        done = true;
      }
    }
    out[i] = done ? result : static_cast<unsigned>(x) + 10000;
  }
}

#endif
