#ifndef HOST

// run: grid=4 block=128 shared=0 args=in:u8:2048:random,bins:u32:64:zeros
extern "C" __global__ void histogram_private(const unsigned char* in, unsigned* bins) {
  __shared__ unsigned counts[4][64];
  const unsigned t = threadIdx.x, warp = t / 32;
  for (unsigned k = t; k < 256; k += 128) counts[k / 64][k % 64] = 0;
  __syncthreads();
  for (unsigned k = t; k < 512; k += 128)
    atomicAdd(&counts[warp][in[512 * blockIdx.x + k] / 4], 1u);
  __syncthreads();
  if (t < 64) {
    unsigned sum = 0;
    for (unsigned w = 0; w < 4; ++w) sum += counts[w][t];
    if (sum != 0) atomicAdd(&bins[t], sum);
  }
}

#else

void histogram_private_reference(const unsigned char* in, unsigned* bins) {
  for (unsigned i = 0; i < 2048; ++i) ++bins[in[i] / 4];
}

#endif
