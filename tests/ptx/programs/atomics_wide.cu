#ifndef HOST

// run: grid=4 block=64 shared=0 args=in:u64:256:random,cells:u64:9:zeros,small:s32:4:zeros,out:u64:256:zeros
extern "C" __global__ void atomics_wide(const unsigned long long* in, unsigned long long* cells,
                                        int* small, unsigned long long* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long x = in[i];
  const int s = static_cast<int>(x >> 20);
  atomicAdd(&cells[0], x);
  atomicMax(&cells[1], x);
  atomicMin(&cells[2], x - 1);
  atomicOr(&cells[3], x & 0x1111111111111111ull);
  atomicXor(&cells[4], x);
  atomicAnd(&cells[5], x);
  atomicMax(reinterpret_cast<long long*>(&cells[6]), static_cast<long long>(x));
  atomicMin(reinterpret_cast<long long*>(&cells[7]), static_cast<long long>(x));
  unsigned long long before, seen = atomicAdd(&cells[8], 0ull);
  do {
    before = seen;
    seen = atomicCAS(&cells[8], before, before + (x >> 3));
  } while (seen != before);
  atomicAdd(&small[0], s);
  atomicSub(&small[1], s);
  atomicMax(&small[2], s);
  atomicMin(&small[3], s);
  const unsigned long long old = atomicExch(&out[i], x);
  const unsigned long long full = atomicCAS(&out[i], x, ~x);
  out[i] = old + full;
}

#else

void atomics_wide_reference(const unsigned long long* in, unsigned long long* cells,
                            unsigned* small, unsigned long long* out) {
  for (unsigned i = 0; i < 256; ++i) {
    const unsigned long long x = in[i];
    const int s = static_cast<int>(x >> 20);
    cells[0] += x;
    cells[1] = std::max(cells[1], x);
    cells[2] = std::min(cells[2], x - 1);
    cells[3] |= x & 0x1111111111111111ull;
    cells[4] ^= x;
    cells[5] &= x;
    cells[6] = static_cast<unsigned long long>(
        std::max(static_cast<long long>(cells[6]), static_cast<long long>(x)));
    cells[7] = static_cast<unsigned long long>(
        std::min(static_cast<long long>(cells[7]), static_cast<long long>(x)));
    cells[8] += x >> 3;
    small[0] += static_cast<unsigned>(s);
    small[1] -= static_cast<unsigned>(s);
    small[2] = static_cast<unsigned>(std::max(static_cast<int>(small[2]), s));
    small[3] = static_cast<unsigned>(std::min(static_cast<int>(small[3]), s));
    out[i] = x;
  }
}

#endif
