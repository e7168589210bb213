#ifndef HOST

__device__ bool touch(unsigned* count, bool value) {
  atomicAdd(count, 1u);
  return value;
}

// run: grid=2 block=64 shared=0 args=in:u32:128:random,counts:u32:3:zeros,out:u32:128:zeros
extern "C" __global__ void short_circuit(const unsigned* in, unsigned* counts, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = in[i];
  const bool taken =
      (touch(&counts[0], x & 1) && touch(&counts[1], x & 2)) || touch(&counts[2], x & 4);
  out[i] = taken ? x : ~x;
}

#else

void short_circuit_reference(const unsigned* in, unsigned* counts, unsigned* out) {
  const auto touch = [](unsigned& count, bool value) {
    ++count;
    return value;
  };
  for (unsigned i = 0; i < 128; ++i) {
    const unsigned x = in[i];
    const bool taken =
        (touch(counts[0], x & 1) && touch(counts[1], x & 2)) || touch(counts[2], x & 4);
    out[i] = taken ? x : ~x;
  }
}

#endif
