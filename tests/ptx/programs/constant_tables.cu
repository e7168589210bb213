#ifndef HOST

__constant__ unsigned polynomial_steps[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

__device__ const unsigned char rotations[8] = {3, 7, 11, 19, 23, 5, 13, 29};

// run: grid=1 block=64 shared=0 args=in:u32:64:random,out:u32:64:zeros
extern "C" __global__ void constant_tables(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  unsigned crc = ~0u;
  for (unsigned k = 0; k < 8; ++k) crc = polynomial_steps[(crc ^ in[i] >> (4 * k)) & 15] ^ crc >> 4;
  const unsigned shift = rotations[crc % 8];
  out[i] = (~crc << shift) | (~crc >> (32 - shift));
}

#else

void constant_tables_reference(const unsigned* in, unsigned* out) {
  const unsigned char rotations[8] = {3, 7, 11, 19, 23, 5, 13, 29};
  for (unsigned i = 0; i < 64; ++i) {
    unsigned crc = ~0u ^ in[i];
    for (unsigned k = 0; k < 32; ++k) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    const unsigned shift = rotations[crc % 8];
    out[i] = (~crc << shift) | (~crc >> (32 - shift));
  }
}

#endif
