#ifndef HOST

// run: grid=1 block=128 shared=0 args=in:u32:128:random,out:u32:128:zeros
extern "C" __global__ void switch_table(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  unsigned x = in[i], stack[4] = {1, 2, 3, 4}, top = 0;
  for (unsigned step = 0; step < 8; ++step) {
    unsigned& a = stack[top % 4];
    const unsigned b = stack[(top + 1) % 4];
    switch (x >> (4 * step) & 15) {
      case 0:
        a += b;
        break;
      case 1:
        a -= b;
        break;
      case 2:
        a *= b;
        break;
      case 3:
        a ^= b;
        break;
      case 4:
        a |= b << 3;
        break;
      case 5:
        a &= ~b;
        break;
      case 6:
        a = b / (a | 1);
        break;
      case 7:
        a = b % (a | 1);
        break;
      case 8:
        a = a << (b % 32);
        break;
      case 9:
        a = a >> (b % 32);
        break;
      case 10:
        ++top;
        break;
      case 11:
        --top;
        break;
      case 12:
        a = __popc(b);
        break;
      case 13:
        a = min(a, b) + 7;
        break;
      case 14:
        x ^= a << 28;
        break;
      case 15:
        a = in[(a + step) % 128];
        break;
    }
  }
  out[i] = stack[0] + 3 * stack[1] + 5 * stack[2] + 7 * stack[3];
}

#else

void switch_table_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 128; ++i) {
    unsigned x = in[i], stack[4] = {1, 2, 3, 4}, top = 0;
    for (unsigned step = 0; step < 8; ++step) {
      const unsigned code = x >> (4 * step) & 15;
      unsigned& a = stack[top % 4];
      const unsigned b = stack[(top + 1) % 4];
      unsigned ones = 0;
      for (unsigned k = 0; k < 32; ++k) ones += b >> k & 1;
      const unsigned results[16] = {a + b,
                                    a - b,
                                    a * b,
                                    a ^ b,
                                    a | b << 3,
                                    a & ~b,
                                    b / (a | 1),
                                    b % (a | 1),
                                    a << (b % 32),
                                    a >> (b % 32),
                                    a,
                                    a,
                                    ones,
                                    std::min(a, b) + 7,
                                    a,
                                    in[(a + step) % 128]};
      if (code == 14) x ^= a << 28;
      a = results[code];
      if (code == 10) ++top;
      if (code == 11) --top;
    }
    out[i] = stack[0] + 3 * stack[1] + 5 * stack[2] + 7 * stack[3];
  }
}

#endif
