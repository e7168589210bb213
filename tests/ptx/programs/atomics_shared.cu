#ifndef HOST

// run: grid=2 block=128 shared=0 args=in:u32:256:random,out:u32:20:zeros
extern "C" __global__ void atomics_shared(const unsigned* in, unsigned* out) {
  __shared__ unsigned cells[8];
  __shared__ unsigned long long wide[1];
  const unsigned t = threadIdx.x;
  const unsigned x = in[blockIdx.x * 128 + t];
  if (t < 8) cells[t] = t == 2 ? ~0u : 0;
  if (t == 8) wide[0] = 0;
  __syncthreads();
  atomicAdd(&cells[0], x);
  atomicMax(&cells[1], x);
  atomicMin(&cells[2], x);
  atomicOr(&cells[3], 1u << x % 32);
  atomicXor(&cells[4], x);
  atomicInc(&cells[5], 50);
  atomicDec(&cells[6], 50);
  atomicAdd(&wide[0], static_cast<unsigned long long>(x) * x);
  unsigned before, seen = atomicAdd(&cells[7], 0u);
  do {
    before = seen;
    seen = atomicCAS(&cells[7], before, before + x % 10);
  } while (seen != before);
  __syncthreads();
  unsigned* row = out + 10 * blockIdx.x;
  if (t < 8) row[t] = cells[t];
  if (t == 8) row[8] = static_cast<unsigned>(wide[0]);
  if (t == 9) row[9] = static_cast<unsigned>(wide[0] >> 32);
}

#else

void atomics_shared_reference(const unsigned* in, unsigned* out) {
  for (unsigned block = 0; block < 2; ++block) {
    unsigned* row = out + 10 * block;
    unsigned long long wide = 0;
    row[2] = ~0u;
    for (unsigned t = 0; t < 128; ++t) {
      const unsigned x = in[128 * block + t];
      row[0] += x;
      row[1] = std::max(row[1], x);
      row[2] = std::min(row[2], x);
      row[3] |= 1u << x % 32;
      row[4] ^= x;
      row[5] = row[5] == 50 ? 0 : row[5] + 1;
      row[6] = row[6] == 0 ? 50 : row[6] - 1;
      row[7] += x % 10;
      wide += static_cast<unsigned long long>(x) * x;
    }
    row[8] = static_cast<unsigned>(wide);
    row[9] = static_cast<unsigned>(wide >> 32);
  }
}

#endif
