#ifndef HOST

// run: grid=2x2 block=16x8 shared=0 args=in:u8:512:random,out:u8:512:zeros,32,16
extern "C" __global__ void life_step(const unsigned char* in, unsigned char* out, int width,
                                     int height) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      const int nx = (x + dx + width) % width, ny = (y + dy + height) % height;
      alive += in[ny * width + nx] & 1;
    }
  }
  out[y * width + x] = alive == 3 || (alive == 2 && (in[y * width + x] & 1));
}

#else

void life_step_reference(const unsigned char* in, unsigned char* out) {
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 32; ++x) {
      int alive = -(in[y * 32 + x] & 1);
      for (int k = 0; k < 9; ++k)
        alive += in[(y + k / 3 + 15) % 16 * 32 + (x + k % 3 + 31) % 32] & 1;
      out[y * 32 + x] = alive == 3 || (alive == 2 && (in[y * 32 + x] & 1));
    }
  }
}

#endif
