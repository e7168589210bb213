#ifndef HOST

// run: grid=4 block=64 shared=0 args=in:u32:256:random,cells:u32:9:zeros,out:u32:256:zeros
extern "C" __global__ void atomics_u32(const unsigned* in, unsigned* cells, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = in[i];
  atomicAdd(&cells[0], x);
  atomicSub(&cells[1], x);
  atomicMax(&cells[2], x);
  atomicMin(&cells[3], x % 64 - 100);
  atomicOr(&cells[4], x & 0x11111111u);
  atomicXor(&cells[5], x);
  atomicInc(&cells[6], 99);
  atomicDec(&cells[7], 99);
  unsigned before = 0, seen = atomicAdd(&cells[8], 0u);
  do {
    before = seen;
    seen = atomicCAS(&cells[8], before, (before + 1) * (x | 1) - 1);
  } while (seen != before);
  const unsigned old = atomicExch(&out[i], x);
  const unsigned full = atomicAnd(&out[i], 0xffff0000u);
  const unsigned masked = atomicAdd(&out[i], 5u);
  out[i] = old + 3 * full + masked;
}

#else

void atomics_u32_reference(const unsigned* in, unsigned* cells, unsigned* out) {
  for (unsigned i = 0; i < 256; ++i) {
    const unsigned x = in[i];
    cells[0] += x;
    cells[1] -= x;
    cells[2] = std::max(cells[2], x);
    cells[3] = std::min(cells[3], x % 64 - 100);
    cells[4] |= x & 0x11111111u;
    cells[5] ^= x;
    cells[8] = (cells[8] + 1) * (x | 1) - 1;
    out[i] = x * 3 + (x & 0xffff0000u);
  }
  cells[6] = 256 % 100;
  cells[7] = (100 - 256 % 100) % 100;
}

#endif
