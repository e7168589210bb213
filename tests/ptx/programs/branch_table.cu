#ifndef HOST

// run: grid=1 block=64 shared=0 args=in:u32:64:random,out:u32:64:zeros
extern "C" __global__ void branch_table(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  unsigned x = in[i];
#pragma unroll 1
  for (unsigned step = 0; step < 4; ++step) {
    const unsigned code = (x >> 3) % 6;
    asm volatile(
        "{\n\t"
        "targets: .branchtargets way0, way1, way2, way3, way1, way5;\n\t"
        "brx.idx %1, targets;\n\t"
        "way0: add.u32 %0, %0, 12345;\n\t"
        "bra done;\n\t"
        "way1: mul.lo.u32 %0, %0, 7;\n\t"
        "bra done;\n\t"
        "way2: shr.u32 %0, %0, 5;\n\t"
        "way3: xor.b32 %0, %0, 0x5a5a5a5a;\n\t"
        "bra done;\n\t"
        "way5: not.b32 %0, %0;\n\t"
        "done:\n\t"
        "}"
        : "+r"(x)
        : "r"(code));
  }
  out[i] = x;
}

#else

void branch_table_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 64; ++i) {
    unsigned x = in[i];
    for (unsigned step = 0; step < 4; ++step) {
      const unsigned code = (x >> 3) % 6;
      if (code == 0) x += 12345;
      if (code == 1 || code == 4) x *= 7;
      if (code == 2) x >>= 5;
      if (code == 2 || code == 3) x ^= 0x5a5a5a5au;
      if (code == 5) x = ~x;
    }
    out[i] = x;
  }
}

#endif
