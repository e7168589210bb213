#include "agpusim/ptx/run/texture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "agpusim/ptx/run/lanes.hpp"
#include "agpusim/ptx/run/rounding.hpp"

namespace agpusim::ptx {

Along along(double x, s64 size, AddressMode mode, bool is_normalized, bool filters) {
  constexpr double far = 1 << 30;  // texels: all beyond are outside
  const bool mirrors = mode == AddressMode::mirror;
  if (mirrors || mode == AddressMode::wrap) x -= 2 * std::floor(x / 2);
  if (mirrors && x >= 1) x = 2 - x;
  if (is_normalized) x *= static_cast<double>(size);
  x = std::isnan(x) ? 0 : std::clamp(x, -far, far);
  const auto placed = [&](s64 texel) {
    if (texel >= 0 && texel < size) return texel;
    if (mode == AddressMode::border) return s64{-1};
    return mode == AddressMode::wrap ? (texel + size) % size : std::clamp<s64>(texel, 0, size - 1);
  };
  if (!filters) return {{placed(static_cast<s64>(std::floor(x)))}};
  const auto fixed = static_cast<s64>(std::floor((x - 0.5) * 256 + 0.5));
  return {{placed(fixed >> 8), placed((fixed >> 8) + 1)}, static_cast<u32>(fixed & 255)};
}

s64 face_of(std::array<double, 3>& at) {
  const auto [x, y, z] = at;
  const double most = std::max({std::fabs(x), std::fabs(y), std::fabs(z)});
  const std::size_t axis = std::fabs(z) == most ? 2 : std::fabs(y) == most ? 1 : 0;
  const bool is_back = at[axis] < 0;
  const double sign = is_back ? -1 : 1;
  at = axis == 0   ? std::array{-sign * z, -y, most}
       : axis == 1 ? std::array{x, sign * z, most}
                   : std::array{sign * x, -y, most};
  for (std::size_t d = 0; d < 2; ++d) at[d] = (at[d] / most + 1) / 2;
  return static_cast<s64>(2 * axis + std::size_t{is_back});
}

Channel channel_of(const Texture& texture, const std::byte* texel, u32 c) {
  const bool is_float = texture.kind == ChannelKind::floating;
  const bool is_missing = c >= texture.channels;
  u32 bits = 0;
  if (is_missing || texel == nullptr) {
    const bool is_real = is_float || texture.reads_fractions;
    bits = is_missing ? 0 : texture.border[c];
    return {bits, is_real ? std::bit_cast<float>(bits) : 0};
  }
  std::memcpy(&bits, texel + std::size_t{c} * texture.channel_bytes, texture.channel_bytes);
  if (is_float) {
    if (texture.channel_bytes == 2) bits = std::bit_cast<u32>(widened(static_cast<F16>(bits)));
    return {bits, std::bit_cast<float>(bits)};
  }
  const u32 unused = 32 - 8 * texture.channel_bytes;
  const bool has_sign = texture.kind == ChannelKind::with_sign;
  if (has_sign) bits = static_cast<u32>(static_cast<s32>(bits << unused) >> unused);
  if (!texture.reads_fractions) return {bits};
  const double one = (~u32{0} >> unused) >> u32{has_sign};
  const double number =
      std::max((has_sign ? static_cast<s32>(bits) : static_cast<double>(bits)) / one, -1.0);
  return {std::bit_cast<u32>(static_cast<float>(number)), number};
}

}  // namespace agpusim::ptx
