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

void csr_product_reference(std::vector<std::vector<std::byte>>& buffers) {
  auto* seeds = reinterpret_cast<const unsigned*>(buffers[0].data());
  auto* values = reinterpret_cast<const float*>(buffers[1].data());
  auto* vector = reinterpret_cast<const float*>(buffers[2].data());
  auto* offsets = reinterpret_cast<unsigned*>(buffers[3].data());
  auto* out = reinterpret_cast<float*>(buffers[4].data());
  for (unsigned row = 0; row < 64; ++row) {
    offsets[row + 1] = offsets[row] + seeds[row] % 8;
    for (unsigned k = offsets[row]; k < offsets[row + 1]; ++k)
      out[row] += values[k] * 0.3f * vector[(seeds[row] / 8 + 11 * k) % 64];
  }
}

#endif
