#ifndef HOST

// run: grid=2 block=128 shared=0 args=in:u32:256:random,out:u32:256:zeros
extern "C" __global__ void block_scan(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[4];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const unsigned i = blockIdx.x * 128 + t;
  unsigned sum = in[i];
  for (unsigned k = 1; k < 32; k *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffffu, sum, k);
    if (lane >= k) sum += left;
  }
  if (lane == 31) sums[warp] = sum;
  __syncthreads();
  for (unsigned w = 0; w < warp; ++w) sum += sums[w];
  out[i] = sum;
}

#else

void block_scan_reference(const unsigned* in, unsigned* out) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 256; ++i) {
    if (i % 128 == 0) sum = 0;
    sum += in[i];
    out[i] = sum;
  }
}

#endif
