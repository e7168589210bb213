#ifndef HOST

// run: grid=2x3x2 block=4x4x4 shared=0 args=in:u32:768:random,out:u32:768:zeros
extern "C" __global__ void grid_3d(const unsigned* in, unsigned* out) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
  const unsigned width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y,
                 depth = gridDim.z * blockDim.z;
  const unsigned i = (z * height + y) * width + x;
  unsigned sum = in[i];
  if (x > 0) sum += 3 * in[i - 1];
  if (y + 1 < height) sum -= in[i + width];
  if (z + 1 < depth) sum ^= in[i + width * height];
  out[i] = sum + (x << 16 | y << 8 | z);
}

#else

void grid_3d_reference(const unsigned* in, unsigned* out) {
  unsigned i = 0;
  for (unsigned z = 0; z < 8; ++z) {
    for (unsigned y = 0; y < 12; ++y) {
      for (unsigned x = 0; x < 8; ++x, ++i) {
        unsigned sum = in[i];
        if (x > 0) sum += 3 * in[i - 1];
        if (y < 11) sum -= in[i + 8];
        if (z < 7) sum ^= in[i + 96];
        out[i] = sum + (x << 16 | y << 8 | z);
      }
    }
  }
}

#endif
