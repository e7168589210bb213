#ifndef HOST

// run: grid=2 block=64 shared=0 args=in:u32:128:random,locks:u32:4:zeros,sums:u32:4:zeros
extern "C" __global__ void lane_spin_lock(const unsigned* in, unsigned* locks, unsigned* sums) {
  const unsigned x = in[blockIdx.x * 64 + threadIdx.x];
  const unsigned slot = x % 4;
  bool done = false;
  while (!done) {
    if (atomicCAS(&locks[slot], 0u, 1u) == 0) {
      __threadfence();
      sums[slot] += x / 4;
      __threadfence();
      atomicExch(&locks[slot], 0u);
      done = true;
    }
  }
}

#else

void lane_spin_lock_reference(const unsigned* in, const void*, unsigned* sums) {
  for (unsigned i = 0; i < 128; ++i) sums[in[i] % 4] += in[i] / 4;
}

#endif
