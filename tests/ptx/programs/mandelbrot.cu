#ifndef HOST

// run: grid=2x2 block=16x16 shared=0 args=out:u32:1024:zeros,32
extern "C" __global__ void mandelbrot(unsigned* out, unsigned width) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  const float re = x * 0.09375f - 2.0f, im = y * 0.0625f - 1.0f;
  float a = 0.0f, b = 0.0f;
  unsigned steps = 0;
  while (steps < 50 && a * a + b * b < 4.0f) {
    const float next = a * a - b * b + re;
    b = 2.0f * a * b + im;
    a = next;
    ++steps;
  }
  out[y * width + x] = steps;
}

#else

void mandelbrot_reference(unsigned* out) {
  for (unsigned y = 0; y < 32; ++y) {
    for (unsigned x = 0; x < 32; ++x) {
      const float re = static_cast<float>(x) * 0.09375f - 2.0f,
                  im = static_cast<float>(y) * 0.0625f - 1.0f;
      float a = 0.0f, b = 0.0f;
      unsigned steps = 0;
      for (; steps < 50 && a * a + b * b < 4.0f; ++steps) {
        const float next = a * a - b * b + re;
        b = 2.0f * a * b + im;
        a = next;
      }
      out[y * 32 + x] = steps;
    }
  }
}

#endif
