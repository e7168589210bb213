#ifndef HOST

// run: grid=2 block=128 shared=0 args=in:f32:256,out:f32:2:zeros
extern "C" __global__ void float_reduction(const float* in, float* out) {
  __shared__ float sums[128];
  const unsigned t = threadIdx.x;
  sums[t] = 1.0f / (in[blockIdx.x * 128 + t] + 1.0f);
  for (unsigned k = 64; k >= 32; k /= 2) {
    __syncthreads();
    if (t < k) sums[t] += sums[t + k];
  }
  if (t < 32) {
    float sum = sums[t];
    for (unsigned k = 16; k > 0; k /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, k);
    if (t == 0) out[blockIdx.x] = sum;
  }
}

#else

void float_reduction_reference(const float* in, float* out) {
  for (unsigned block = 0; block < 2; ++block) {
    float sums[128];
    for (unsigned t = 0; t < 128; ++t) sums[t] = 1.0f / (in[128 * block + t] + 1.0f);
    for (unsigned k = 64; k > 0; k /= 2)
      for (unsigned t = 0; t < k; ++t) sums[t] += sums[t + k];
    out[block] = sums[0];
  }
}

#endif
