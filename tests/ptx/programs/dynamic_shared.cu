#ifndef HOST

// run: grid=2 block=64 shared=576 args=in:u32:128:random,out:u32:128:zeros
extern "C" __global__ void dynamic_shared(const unsigned* in, unsigned* out) {
  extern __shared__ unsigned long long storage[];
  unsigned* words = reinterpret_cast<unsigned*>(storage);
  unsigned short* halves = reinterpret_cast<unsigned short*>(words + blockDim.x);
  unsigned char* bytes = reinterpret_cast<unsigned char*>(halves + blockDim.x);
  unsigned long long* wide = storage + 56;
  const unsigned t = threadIdx.x;
  const unsigned x = in[blockIdx.x * 64 + t];
  words[t] = x;
  halves[t] = static_cast<unsigned short>(x >> 3);
  bytes[t] = static_cast<unsigned char>(x >> 7);
  if (t < 16) wide[t] = static_cast<unsigned long long>(x) * x;
  __syncthreads();
  out[blockIdx.x * 64 + t] = words[63 - t] + halves[(t + 5) % 64] + bytes[t ^ 3] +
                             static_cast<unsigned>(wide[t % 16] >> 30);
}

#else

void dynamic_shared_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 128; ++i) {
    const unsigned* row = in + i / 64 * 64;
    const unsigned t = i % 64;
    const unsigned long long wide = static_cast<unsigned long long>(row[t % 16]) * row[t % 16];
    out[i] = row[63 - t] + (row[(t + 5) % 64] >> 3 & 0xffff) + (row[t ^ 3] >> 7 & 0xff) +
             static_cast<unsigned>(wide >> 30);
  }
}

#endif
