#ifndef HOST

// run: grid=3x2 block=16x8 shared=0 args=in:u32:1200:random,out:u32:1200:zeros,40,30
extern "C" __global__ void transpose_padded(const unsigned* in, unsigned* out, unsigned width,
                                            unsigned height) {
  __shared__ unsigned tile[16][17];
  unsigned x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (unsigned k = 0; k < 16; k += 8)
    if (x < width && y + k < height) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  for (unsigned k = 0; k < 16; k += 8)
    if (x < height && y + k < width) out[(y + k) * height + x] = tile[threadIdx.x][threadIdx.y + k];
}

#else

void transpose_padded_reference(const unsigned* in, unsigned* out) {
  for (unsigned y = 0; y < 30; ++y)
    for (unsigned x = 0; x < 40; ++x) out[x * 30 + y] = in[y * 40 + x];
}

#endif
