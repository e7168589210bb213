#ifndef HOST

// run: grid=1 block=128 shared=0 args=in:u32:128:random,out:u32:128:zeros
extern "C" __global__ void switch_cases(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  unsigned x = in[i];
  for (unsigned step = 0; step < 5; ++step) {
    switch (x % 9) {
      case 0:
        x = x * 3 + 1;
        break;
      case 1:
        x ^= x >> 7;
        break;
      case 2:
        x += in[(i + step) % 128];
      case 3:
        x = (x << 5) | (x >> 27);
        break;
      case 4:
        x -= i;
        break;
      case 5:
        x = ~x;
        break;
      case 6:
        x = x / 7 + step;
        break;
      case 7:
        out[i] += 1;
        break;
      default:
        x *= x | 1;
        break;
    }
  }
  out[i] += x;
}

#else

void switch_cases_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 128; ++i) {
    unsigned x = in[i];
    for (unsigned step = 0; step < 5; ++step) {
      const unsigned code = x % 9;
      if (code == 0) x = x * 3 + 1;
      if (code == 1) x ^= x >> 7;
      if (code == 2) x += in[(i + step) % 128];
      if (code == 2 || code == 3) x = (x << 5) | (x >> 27);
      if (code == 4) x -= i;
      if (code == 5) x = ~x;
      if (code == 6) x = x / 7 + step;
      if (code == 7) out[i] += 1;
      if (code == 8) x *= x | 1;
    }
    out[i] += x;
  }
}

#endif
