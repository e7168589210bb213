#ifndef HOST

// run: grid=1 block=64 shared=0 args=in:f32:256,pairs:u32:128:random,bytes:u8:256:random,wide:f64:128,out:f32:256:zeros,mixed:u32:128:zeros,halves:u16:256:zeros,sums:f64:128:zeros
extern "C" __global__ void vector_access(const float4* in, const uint2* pairs, const uchar4* bytes,
                                         const double2* wide, float4* out, uint2* mixed,
                                         ushort4* halves, double2* sums) {
  const unsigned t = threadIdx.x;
  const float4 v = in[t];
  out[t] = make_float4(v.w + v.x, v.z - v.y, v.x * v.w, -v.y);
  const uint2 p = pairs[t];
  mixed[t] = make_uint2(p.x ^ p.y, p.x + 3 * p.y);
  const uchar4 b = bytes[t];
  halves[t] = make_ushort4(b.x * b.y, b.z + b.w, b.w << 8, b.x | b.z << 4);
  const double2 w = wide[t];
  sums[t] = make_double2(w.x + w.y, w.x * w.y);
}

#else

void vector_access_reference(const float* in, const unsigned* pairs, const unsigned char* bytes,
                             const double* wide, float* out, unsigned* mixed,
                             unsigned short* halves, double* sums) {
  for (unsigned t = 0; t < 64; ++t) {
    const float* v = in + 4 * t;
    out[4 * t] = v[3] + v[0];
    out[4 * t + 1] = v[2] - v[1];
    out[4 * t + 2] = v[0] * v[3];
    out[4 * t + 3] = -v[1];
    const unsigned x = pairs[2 * t], y = pairs[2 * t + 1];
    mixed[2 * t] = x ^ y;
    mixed[2 * t + 1] = x + 3 * y;
    const unsigned char* b = bytes + 4 * t;
    halves[4 * t] = static_cast<unsigned short>(b[0] * b[1]);
    halves[4 * t + 1] = static_cast<unsigned short>(b[2] + b[3]);
    halves[4 * t + 2] = static_cast<unsigned short>(b[3] << 8);
    halves[4 * t + 3] = static_cast<unsigned short>(b[0] | b[2] << 4);
    sums[2 * t] = wide[2 * t] + wide[2 * t + 1];
    sums[2 * t + 1] = wide[2 * t] * wide[2 * t + 1];
  }
}

#endif
