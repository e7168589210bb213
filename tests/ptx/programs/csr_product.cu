#ifndef HOST

// run: grid=1 block=64 shared=0 args=seeds:u32:64:random,values:f32:512,vector:f32:64,offsets:u32:65:zeros,out:f32:64:zeros
extern "C" __global__ void csr_product(const unsigned* seeds, const float* values,
                                       const float* vector, unsigned* offsets, float* out) {
  __shared__ unsigned lengths[64];
  const unsigned row = threadIdx.x;
  lengths[row] = seeds[row] % 8;
  __syncthreads();
  unsigned end = 0;
  for (unsigned k = 0; k <= row; ++k) end += lengths[k];
  offsets[row + 1] = end;
  __syncthreads();
  float sum = 0.0f;
  for (unsigned k = offsets[row]; k < offsets[row + 1]; ++k) {
    const unsigned column = (seeds[row] / 8 + 11 * k) % 64;
    sum += values[k] * 0.3f * vector[column];
  }
  out[row] = sum;
}

#else

void csr_product_reference(const unsigned* seeds, const float* values, const float* vector,
                           unsigned* offsets, float* out) {
  for (unsigned row = 0; row < 64; ++row) {
    offsets[row + 1] = offsets[row] + seeds[row] % 8;
    for (unsigned k = offsets[row]; k < offsets[row + 1]; ++k)
      out[row] += values[k] * 0.3f * vector[(seeds[row] / 8 + 11 * k) % 64];
  }
}

#endif
