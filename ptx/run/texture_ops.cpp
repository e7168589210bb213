#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "agpusim/ptx/lower/operands.hpp"
#include "agpusim/ptx/run/access.hpp"
#include "agpusim/ptx/run/lanes.hpp"
#include "agpusim/ptx/run/texture.hpp"
#include "agpusim/ptx/run/worker.hpp"

// Fetches of textures, and reads and writes of surfaces, as CUDA's programming guide has them.
namespace agpusim::ptx {
namespace {

TextureForm form_of(const Instruction& i) { return std::bit_cast<TextureForm>(i.immediate); }

[[noreturn]] void stop(Warp& warp, const Instruction& i, u32 lane, Rule rule, std::string text,
                       std::string_view remedy) {
  Finding finding = warp.cta.worker.finding(rule, warp, i, lane, std::move(text));
  finding.remedy = remedy;
  warp.cta.worker.findings.add(std::move(finding));
  throw Stopped{};
}

/// The texture or surface that an object names.
const Texture& named(Warp& warp, const Instruction& i, u32 lane, u64 object, Texture::Use use) {
  const Allocation* const held = warp.cta.plan.memory.find(object);
  const auto* const texture = reinterpret_cast<const Texture*>(object);
  const char* const what = use == Texture::Use::fetch ? "texture" : "surface";
  if (held == nullptr || held->begin != object || held->bytes != sizeof(Texture) ||
      texture->use != use) {
    stop(warp, i, lane, Rule::out_of_bounds, fmt::format("0x{:x} is no {} object", object, what),
         "pass the object that the runtime has created");
  }
  if (held->released) {
    stop(warp, i, lane, Rule::freed, fmt::format("uses a {} object that was destroyed", what),
         "destroy it after its last use");
  }
  return *texture;
}

/// Calls f(lanes, texture) for the lanes of each object.
template <class F>
void for_objects(Warp& warp, const Instruction& i, Texture::Use use, F f) {
  const u64* const objects = warp.row<u64>(i.place[0]);
  for (Lanes left = warp.active; left != 0;) {
    const auto first = static_cast<u32>(std::countr_zero(left));
    const u64 object = objects[first];
    Lanes same = 0;
    for_lanes(left, [&](u32 l) { same |= Lanes{objects[l] == object} << l; });
    left &= ~same;
    f(same, named(warp, i, first, object, use));
  }
}

u32 coordinate(Warp& warp, const Instruction& i, u32 lane, u32 number) {
  return warp.row<u32>(input_of(i, number))[lane];
}

/// The layer, or the first face of it, that the first coordinate names.
s64 layer_of(Warp& warp, const Instruction& i, u32 lane, const Texture& texture) {
  const TextureForm form = form_of(i);
  if (!form.is_layered) return 0;
  const s64 faces = form.is_cube ? 6 : 1;
  return std::min<s64>(coordinate(warp, i, lane, 0), texture.size[2] / faces - 1) * faces;
}

/// Where a lane fetches, and what it gets.
struct Point {
  std::array<Along, 3> along;
  std::array<u32, 4> bits{};
  std::array<double, 4> sum{};

  /// Bit d of a corner says which texel of direction d it is.
  [[nodiscard]] double weight(u32 corner) const {
    double result = 1;
    for (u32 d = 0; d < 3; ++d) {
      const u32 of_second = along[d].weight;
      result *= ((corner >> d & 1) != 0 ? of_second : 256 - of_second) / 256.0;
    }
    return result;
  }
  /// The address of a corner, nothing for the border.
  [[nodiscard]] std::optional<u64> address(const Texture& texture, u32 corner) const {
    u64 result = texture.begin;
    for (u32 d = 0; d < 3; ++d) {
      const s64 texel = along[d].texel[corner >> d & 1];
      if (texel < 0) return std::nullopt;
      result += static_cast<u64>(texel * texture.step[d]);
    }
    return result;
  }
};

Point point_of(Warp& warp, const Instruction& i, u32 lane, const Texture& texture) {
  const TextureForm form = form_of(i);
  std::array<double, 3> at{};
  for (u32 d = 0; d < form.directions + u32{form.is_cube}; ++d) {
    const u32 value = coordinate(warp, i, lane, d + u32{form.is_layered});
    const double whole = static_cast<s32>(value);
    at[d] = form.is_whole ? whole : double{std::bit_cast<float>(value)};
  }
  Point result;
  const s64 layer = layer_of(warp, i, lane, texture) + (form.is_cube ? face_of(at) : 0);
  result.along[2].texel = {layer, layer};
  for (u32 d = 0; d < form.directions; ++d) {
    result.along[d] = form.is_whole
                          ? along(at[d], texture.size[d], AddressMode::border, false, false)
                          : along(at[d], texture.size[d], texture.modes[d],
                                  texture.is_normalized || form.is_cube, texture.filters);
  }
  return result;
}

/// Each corner is a request of its own; lanes for which it has no weight do not read it.
void fetch(Warp& warp, const Instruction& i) {
  std::array<Point, warp_lanes> points;
  for_objects(warp, i, Texture::Use::fetch, [&](Lanes lanes, const Texture& texture) {
    const bool filters = texture.filters && !form_of(i).is_whole;
    for_lanes(lanes, [&](u32 l) { points[l] = point_of(warp, i, l, texture); });
    for (u32 corner = 0; corner < (filters ? 1U << form_of(i).directions : 1U); ++corner) {
      Request request;
      request.bytes = texture.texel_bytes();
      std::array<double, warp_lanes> weight;
      for_lanes(lanes, [&](u32 l) {
        weight[l] = filters ? points[l].weight(corner) : 1;
        const auto address = points[l].address(texture, corner);
        request.address[l] = address.value_or(0);
        request.active |= Lanes{weight[l] > 0 && address.has_value()} << l;
      });
      if (request.active != 0) locate_lanes(warp, i, Touched::read, request);
      for_lanes(lanes, [&](u32 l) {
        const std::byte* const at = (request.active >> l & 1) != 0 ? request.at(l) : nullptr;
        for (u32 c = 0; c < 4 && weight[l] > 0; ++c) {
          const auto [bits, number] = channel_of(texture, at, c);
          points[l].sum[c] += weight[l] * number;
          points[l].bits[c] =
              filters ? std::bit_cast<u32>(static_cast<float>(points[l].sum[c])) : bits;
        }
      });
    }
  });
  for (u32 c = 0; c < 4; ++c) {
    if (i.place[1 + c] == no_place) continue;
    u32* const to = warp.row<u32>(i.place[1 + c]);
    for_lanes(warp.active, [&](u32 l) { to[l] = points[l].bits[c]; });
  }
}

/// Where a lane accesses a surface, whose first coordinate is in bytes; nothing outside.
std::optional<u64> place_in(Warp& warp, const Instruction& i, u32 lane, const Texture& surface,
                            u32 bytes) {
  const TextureForm form = form_of(i);
  std::array<s64, 3> at{};
  for (u32 d = 0; d < form.directions; ++d) {
    at[d] = static_cast<s32>(coordinate(warp, i, lane, d + u32{form.is_layered}));
  }
  if (form.is_layered) at[2] = layer_of(warp, i, lane, surface);
  const s64 width = surface.size[0] * surface.texel_bytes();
  const std::array last = {std::max<s64>(width - bytes, 0), surface.size[1] - 1,
                           surface.size[2] - 1};
  for (u32 d = 0; d < 3; ++d) {
    const s64 inside = std::clamp<s64>(at[d], 0, last[d]);
    if (inside != at[d] && form.boundary == TextureForm::zero) return std::nullopt;
    if (inside != at[d] && form.boundary == TextureForm::trap) {
      stop(warp, i, lane, Rule::out_of_bounds,
           fmt::format("accesses {} bytes at byte {}, {}, {} of a surface of {} bytes x {} x {}",
                       bytes, at[0], at[1], at[2], width, surface.size[1], surface.size[2]),
           "compare the coordinates with the size; the first one counts bytes");
    }
    at[d] = inside;
  }
  return surface.begin +
         static_cast<u64>(at[0] + at[1] * surface.step[1] + at[2] * surface.step[2]);
}

template <bool writes>
void access_surface(Warp& warp, const Instruction& i) {
  const std::size_t bytes = i.bytes;
  const std::size_t width = std::max<std::size_t>(2, bytes);  // bytes of a register
  for_objects(warp, i, Texture::Use::surface, [&](Lanes lanes, const Texture& surface) {
    Request request;
    request.bytes = static_cast<u32>(i.count * bytes);
    for_lanes(lanes, [&](u32 l) {
      const auto at = place_in(warp, i, l, surface, request.bytes);
      request.address[l] = at.value_or(0);
      request.active |= Lanes{at.has_value()} << l;
    });
    const Touched touched = writes ? Touched::write : Touched::read;
    if (request.active != 0) locate_lanes(warp, i, touched, request);
    for (u32 k = 0; k < i.count; ++k) {
      const Place place = writes ? input_of(i, TextureForm::coordinates + k) : i.place[1 + k];
      if (place == no_place) continue;
      for_lanes(lanes, [&](u32 l) {
        std::byte* const value = warp.row<std::byte>(place) + l * width;
        if (!writes) std::memset(value, 0, width);
        if ((request.active >> l & 1) == 0) return;
        std::byte* const at = request.at(l) + k * bytes;
        std::memcpy(writes ? at : value, writes ? value : at, bytes);
      });
    }
  });
}

/// `values`: the operand that has as many registers as the spelling says.
template <Execute execute, std::size_t values>
Execute for_count(const Spelling& spelling) {
  const u32 count = spelling.has("v4") ? 4 : spelling.has("v2") ? 2 : 1;
  return spelling.registers[values] == count ? execute : nullptr;
}

#define AGPUSIM_PTX_FETCH "1d|2d|3d|a1d|a2d|cube|acube v4 f32|s32|u32 f32|s32"
#define AGPUSIM_PTX_SURFACE "b 1d|2d|3d|a1d|a2d v2|v4? b8|b16|b32|b64 trap|clamp|zero?"
constexpr Opcode rows[] = {
    {"tex", AGPUSIM_PTX_FETCH, "Fo", Bill::memory, Op::add, for_count<fetch, 0>},
    // Levels and gradients mean nothing where there are no mipmaps.
    {"tex", "level " AGPUSIM_PTX_FETCH, "Foz", Bill::memory, Op::add, for_count<fetch, 0>},
    {"tex", "grad " AGPUSIM_PTX_FETCH, "Fozz", Bill::memory, Op::add, for_count<fetch, 0>},
    {"suld", AGPUSIM_PTX_SURFACE, "Fo", Bill::memory, Op::add, for_count<access_surface<false>, 0>},
    {"sust", AGPUSIM_PTX_SURFACE, "of", Bill::memory, Op::add, for_count<access_surface<true>, 1>},
};

}  // namespace

std::span<const Opcode> texture_rows() { return rows; }

}  // namespace agpusim::ptx
