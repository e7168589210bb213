#ifndef HOST

// run: grid=1 block=64 shared=0 args=in:u32:64:random,out:u32:1024:zeros
extern "C" __global__ void shuffle_modes(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  const unsigned x = in[t];
  unsigned row = 0;
#pragma unroll
  for (unsigned width = 32; width >= 4; width /= 2) {
    out[64 * row++ + t] = __shfl_sync(0xffffffffu, x, 3 * t + 1, width);
    out[64 * row++ + t] = __shfl_up_sync(0xffffffffu, x, 3, width);
    out[64 * row++ + t] = __shfl_down_sync(0xffffffffu, x, 2, width);
    out[64 * row++ + t] = __shfl_xor_sync(0xffffffffu, x, 5, width);
  }
}

#else

void shuffle_modes_reference(const unsigned* in, unsigned* out) {
  unsigned row = 0;
  for (unsigned width = 32; width >= 4; width /= 2, row += 4) {
    for (unsigned t = 0; t < 64; ++t) {
      const unsigned lane = t % 32, warp = t - lane;
      const unsigned first = lane / width * width, last = first + width - 1;
      out[64 * row + t] = in[warp + first + (3 * t + 1) % width];
      out[64 * (row + 1) + t] = in[lane >= first + 3 ? t - 3 : t];
      out[64 * (row + 2) + t] = in[lane + 2 <= last ? t + 2 : t];
      out[64 * (row + 3) + t] = in[(lane ^ 5) <= last ? warp + (lane ^ 5) : t];
    }
  }
}

#endif
