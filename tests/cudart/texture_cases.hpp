// Textures of many kinds, and where kernels fetch from them: for the runtime of `agpusim exec` and
// for a GPU.
#pragma once

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

// Sizes and coordinates are numbers with a sign, as in kernels.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

namespace agpusim::test {

enum Geometry { line, plane, space, lines, planes, cube, whole };

/// The numbers of kind and mode are those of CUDA's runtime.
struct TextureCase {
  int geometry = line;
  int size[3] = {};
  int bits = 32;
  int channels = 1;
  int kind = 2;
  int mode = 0;
  bool linear = false;
  bool normalized = false;
  bool fractions = false;

  bool is_layered() const { return geometry == lines || geometry == planes; }
  int count(int direction) const { return size[direction] > 0 ? size[direction] : 1; }
  int texels() const { return count(0) * count(1) * count(2); }
};

struct Coordinates {
  float at[3];
  int integer;  ///< the layer, or the coordinate of geometry `whole`
};
constexpr int points_of_case = 64;

inline std::vector<TextureCase> texture_cases() {
  const int formats[][3] = {{8, 4, 1},  {8, 1, 0},  {16, 2, 1}, {16, 4, 0}, {32, 1, 1},
                            {32, 2, 0}, {32, 1, 2}, {32, 4, 2}, {16, 2, 2}};
  const int sizes[][3] = {{37, 0, 0}, {19, 11, 0}, {7, 5, 6}, {21, 0, 5},
                          {13, 9, 4}, {8, 8, 6},   {37, 0, 0}};
  std::vector<TextureCase> all;
  for (int geometry = line; geometry <= whole; ++geometry) {
    for (const auto& [bits, channels, kind] : formats) {
      for (int way = 0; way < 32; ++way) {
        const auto& [x, y, z] = sizes[geometry];
        const TextureCase one = {geometry, {x, y, z},      bits,           channels,       kind,
                                 way & 3,  (way & 4) != 0, (way & 8) != 0, (way & 16) != 0};
        const bool is_real = kind == 2 || one.fractions;
        if ((one.fractions && (kind == 2 || bits == 32)) || (one.linear && !is_real)) continue;
        if (!one.normalized && (geometry == cube || one.mode == 0 || one.mode == 2)) continue;
        if (geometry == whole && (one.linear || one.normalized || one.mode != 3)) continue;
        all.push_back(one);
      }
    }
  }
  return all;
}

/// Floats are not larger than 128, half precision has no infinite numbers.
inline std::vector<unsigned char> texels_of(const TextureCase& of, std::mt19937& random) {
  std::vector<unsigned char> bytes(of.texels() * of.channels * of.bits / 8);
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    unsigned word = random();
    const float number = static_cast<float>(static_cast<int>(word >> 8)) / 65536 - 128;
    if (of.kind == 2 && of.bits == 32) std::memcpy(&word, &number, 4);
    if (of.kind == 2 && of.bits == 16) word &= 0xBBFFBBFF;
    std::memcpy(&bytes[i], &word, std::min<std::size_t>(4, bytes.size() - i));
  }
  return bytes;
}

/// Within, on the edges and in the middle of texels, outside, far away, and no numbers.
inline std::vector<Coordinates> coordinates_of(const TextureCase& of, std::mt19937& random) {
  const auto uniform = [&] { return static_cast<float>(random() >> 8) / (1 << 24); };
  const float special[] = {NAN, 1e30F, -1e30F, 0, -0.0F, 3e5F, -3e5F, 0.25F};
  std::vector<Coordinates> all(points_of_case);
  for (int i = 0; i < points_of_case; ++i) {
    for (int d = 0; d < 3; ++d) {
      const auto size = static_cast<float>(of.count(d));
      float& x = all[i].at[d];
      x = (4 * uniform() - 1.5F) * size;
      if (i >= 32) x = std::round(2 * x) / 2;
      if (of.normalized) x /= size;
      if (of.geometry == cube) x = i < 32 ? 2 * uniform() - 1 : std::round(8 * uniform()) / 4 - 1;
      if (of.geometry != cube && i >= 48 && random() % 2 == 0) x = special[random() % 8];
    }
    const int last = of.geometry == whole ? of.size[0] : of.size[2];
    all[i].integer = static_cast<int>(random() % (last + 3)) - 1;
    if (of.geometry == cube && all[i].at[0] == 0 && all[i].at[1] == 0) all[i].at[2] = 1;
  }
  return all;
}

}  // namespace agpusim::test

#pragma GCC diagnostic pop
