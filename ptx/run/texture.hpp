#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace agpusim::ptx {

// The numbers are those of CUDA's runtime: cudaTextureAddressMode, cudaChannelFormatKind.
enum class AddressMode : std::int32_t { wrap, clamp, mirror, border };
enum class ChannelKind : std::int32_t { with_sign, without_sign, floating };

/// What a texture or surface object names: it lies in global memory, at the address that is the
/// object.
struct Texture {
  enum class Use : std::uint64_t { fetch = 0x7465787475726531, surface = 0x7375726661636531 };
  Use use = Use::fetch;
  std::uint64_t begin = 0;                       ///< address of the first texel
  std::array<std::int64_t, 3> size = {1, 1, 1};  ///< texels; layers or faces are the third
  std::array<std::int64_t, 3> step = {};         ///< bytes to the next one of each direction
  std::uint32_t channels = 1;
  std::uint32_t channel_bytes = 4;
  ChannelKind kind = ChannelKind::floating;
  std::array<AddressMode, 3> modes = {};
  bool filters = false;                      ///< linearly
  bool is_normalized = false;                ///< coordinates from 0 to 1
  bool reads_fractions = false;              ///< integers are read as numbers from 0 or -1 to 1
  std::array<std::uint32_t, 4> border = {};  ///< bits of what lies outside

  [[nodiscard]] std::uint32_t texel_bytes() const { return channels * channel_bytes; }
};

/// The texels of one direction that a fetch takes: the second one with this weight, the first one
/// with the rest. -1: outside.
struct Along {
  std::array<std::int64_t, 2> texel{};
  std::uint32_t weight = 0;  ///< in 256ths
};
/// `filters`: takes two.
[[nodiscard]] Along along(double x, std::int64_t size, AddressMode mode, bool is_normalized,
                          bool filters);
/// The face of a cube to which a direction points, which becomes coordinates there from 0 to 1.
[[nodiscard]] std::int64_t face_of(std::array<double, 3>& at);

/// A channel as a register has it, and the number that it is.
struct Channel {
  std::uint32_t bits = 0;
  double number = 0;
};
/// `texel`: null for the border.
[[nodiscard]] Channel channel_of(const Texture& texture, const std::byte* texel, std::uint32_t c);

}  // namespace agpusim::ptx
