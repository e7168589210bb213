#ifndef HOST

struct Range {
  unsigned first;
  unsigned step;
};

struct Summary {
  unsigned values[5];
  unsigned char tag;
  unsigned long long total;
};

__device__ __noinline__ Summary summarise(Summary s, Range range) {
  for (unsigned k = 0; k < 5; ++k) {
    s.total += static_cast<unsigned long long>(s.values[k]) * (range.first + k * range.step);
    s.values[k] ^= s.values[(k + 1) % 5];
  }
  s.tag = static_cast<unsigned char>(s.tag + s.total % 251);
  return s;
}

// run: grid=1 block=64 shared=0 args=21474836483,in:u32:320:random,out:u32:256:zeros
extern "C" __global__ void struct_values(Range range, const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  Summary s = {};
  for (unsigned k = 0; k < 5; ++k) s.values[k] = in[64 * k + t];
  s.tag = static_cast<unsigned char>(t);
  s = summarise(s, range);
  if (t % 3 == 0) s = summarise(s, Range{s.tag, t});
  out[t] = static_cast<unsigned>(s.total);
  out[64 + t] = static_cast<unsigned>(s.total >> 32);
  out[128 + t] = s.tag;
  out[192 + t] = s.values[0] + s.values[4];
}

#else

void struct_values_reference(const unsigned* in, unsigned* out) {
  for (unsigned t = 0; t < 64; ++t) {
    unsigned v[5];
    for (unsigned k = 0; k < 5; ++k) v[k] = in[64 * k + t];
    unsigned long long total = 0;
    unsigned tag = t, first = 3, step = 5;
    for (unsigned pass = 0; pass < (t % 3 == 0 ? 2u : 1u); ++pass) {
      for (unsigned k = 0; k < 5; ++k) {
        total += static_cast<unsigned long long>(v[k]) * (first + k * step);
        v[k] ^= v[(k + 1) % 5];
      }
      tag = static_cast<unsigned>((tag + total % 251) % 256);
      first = tag;
      step = t;
    }
    out[t] = static_cast<unsigned>(total);
    out[64 + t] = static_cast<unsigned>(total >> 32);
    out[128 + t] = tag;
    out[192 + t] = v[0] + v[4];
  }
}

#endif
