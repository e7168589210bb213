#ifndef HOST

struct Pixel {
  unsigned char r, g, b;
};

struct Record {
  short left, right;
  signed char shift;
};

// run: grid=1 block=64 shared=0 args=pixels:u8:192:random,samples:s8:64:random,records:u8:384:random,grey:u8:64:zeros,sums:s16:64:zeros,out:u8:384:zeros
extern "C" __global__ void small_types(const Pixel* pixels, const signed char* samples,
                                       const Record* records, unsigned char* grey, short* sums,
                                       Record* out) {
  const unsigned t = threadIdx.x;
  const Pixel p = pixels[t];
  grey[t] = static_cast<unsigned char>((77 * p.r + 150 * p.g + 29 * p.b) >> 8);
  sums[t] = static_cast<short>(samples[t] * samples[63 - t] - p.b);
  Record r = records[t];
  r.left = static_cast<short>(r.left + r.right);
  r.shift = static_cast<signed char>(-r.shift / 3);
  out[t].left = r.left;
  out[t].right = static_cast<short>(r.right >> 3);
  out[t].shift = r.shift;
}

#else

#include <cstring>

void small_types_reference(const std::uint8_t* pixels, const std::int8_t* samples,
                           const std::uint8_t* records, std::uint8_t* grey, std::int16_t* sums,
                           std::uint8_t* out) {
  for (unsigned t = 0; t < 64; ++t) {
    const std::uint8_t* p = pixels + 3 * t;
    grey[t] = static_cast<std::uint8_t>((77 * p[0] + 150 * p[1] + 29 * p[2]) / 256);
    sums[t] = static_cast<std::int16_t>(samples[t] * samples[63 - t] - p[2]);
    std::int16_t left, right;
    std::memcpy(&left, records + 6 * t, 2);
    std::memcpy(&right, records + 6 * t + 2, 2);
    const auto shift = static_cast<std::int8_t>(records[6 * t + 4]);
    left = static_cast<std::int16_t>(left + right);
    right = static_cast<std::int16_t>(right >> 3);
    std::memcpy(out + 6 * t, &left, 2);
    std::memcpy(out + 6 * t + 2, &right, 2);
    out[6 * t + 4] = static_cast<std::uint8_t>(-shift / 3);
  }
}

#endif
