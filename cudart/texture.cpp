// Texture and surface objects: addresses of what kernels find there.
#include <algorithm>
#include <bit>
#include <cstring>

#include "agpusim/cudart/array.hpp"

namespace agpusim::cudart {
namespace {

using ptx::AddressMode, ptx::ChannelKind, ptx::Texture;

/// An object that the program has.
struct TextureObject {
  ResourceDescription resource;
  TextureDescription how;
};
std::map<TextureHandle, TextureObject>& objects_of(Texture::Use use) {
  static auto* const all = new std::map<Texture::Use, std::map<TextureHandle, TextureObject>>;
  return (*all)[use];
}

[[noreturn]] void refuse(Runtime& runtime, const char* what) {
  runtime.reporter.unsupported(what);
  throw Status::not_supported;
}

void set_format(Texture& texture, const ChannelFormat& format) {
  texture.step[0] = static_cast<std::int64_t>(element_bytes_of(format));
  texture.channel_bytes = static_cast<std::uint32_t>(format.bits[0]) / 8;
  texture.channels = static_cast<std::uint32_t>(texture.step[0]) / texture.channel_bytes;
  texture.kind = format.kind;
}

/// Linear memory, or rows of it, of the device.
void set_memory(Runtime& runtime, Texture& texture, const ResourceDescription& resource) {
  const auto& memory = resource.memory;
  constexpr std::uint64_t begin_alignment = 512;  // cudaDeviceProp::textureAlignment
  constexpr std::size_t pitch_alignment = 32;     // cudaDeviceProp::texturePitchAlignment
  const bool is_linear = resource.type == ResourceType::linear;
  set_format(texture, memory.format);
  const std::size_t bytes = texture.texel_bytes();
  const std::size_t width = is_linear ? memory.width / bytes : memory.width;
  const std::size_t height = is_linear ? 1 : memory.height;
  require_valid(
      width > 0 && width <= (is_linear ? 1U << 28 : 131072U) && height > 0 && height <= 65000,
      "no texture of memory has this size");
  require_valid(is_linear || (memory.pitch % pitch_alignment == 0 && memory.pitch <= most_pitch &&
                              memory.pitch >= width * bytes),
                "the pitch must hold a row, and be a multiple of 32 bytes");
  texture.begin = reinterpret_cast<ptx::Address>(memory.begin);
  texture.size = {static_cast<std::int64_t>(width), static_cast<std::int64_t>(height), 1};
  texture.step[1] = is_linear ? 0 : static_cast<std::int64_t>(memory.pitch);
  const ptx::Allocation* const held = runtime.allocation(memory.begin);
  const std::size_t all = static_cast<std::size_t>(texture.step[1]) * (height - 1) + width * bytes;
  require_valid(held != nullptr && all <= held->end() - texture.begin,
                "a texture of more bytes than the device has there");
  require_valid(texture.begin % begin_alignment == 0,
                "the address of a texture is a multiple of 512");
}

/// Where the texels lie, and what they are.
Texture texels_of(Runtime& runtime, const ResourceDescription& resource) {
  Texture result;
  if (resource.type == ResourceType::mipmapped_array) refuse(runtime, "a mipmapped array");
  require_valid(resource.type >= ResourceType::array && resource.type <= ResourceType::pitched,
                "there is no resource of this type");
  if (resource.type != ResourceType::array) {
    set_memory(runtime, result, resource);
    return result;
  }
  const auto array = object_of(resource.array, Status::invalid_value);
  set_format(result, array->format);
  result.begin = reinterpret_cast<ptx::Address>(array->begin);
  const std::array sizes = {array->extent.x, array->rows(), array->planes()};
  std::copy(sizes.begin(), sizes.end(), result.size.begin());
  result.step[1] = static_cast<std::int64_t>(array->pitch);
  result.step[2] = result.step[1] * result.size[1];
  return result;
}

void set_sampling(Runtime& runtime, Texture& texture, bool is_linear,
                  const TextureDescription& how) {
  const bool is_float = texture.kind == ChannelKind::floating;
  require_valid(how.filter >= 0 && how.filter <= 1 && how.read >= 0 && how.read <= 1,
                "there is no filter or read mode of this number");
  if (how.srgb != 0) refuse(runtime, "a texture with sRGB");
  texture.reads_fractions = how.read == 1 && !is_float && texture.channel_bytes < 4;
  texture.filters = how.filter == 1 && !is_linear;
  texture.is_normalized = how.normalized != 0 && !is_linear;
  require_valid(!texture.filters || is_float || texture.reads_fractions,
                "linear filtering of integers; cudaReadModeNormalizedFloat makes them numbers");
  if (how.seamless != 0 && texture.filters) refuse(runtime, "a seamless cubemap");
  for (std::size_t d = 0; d < 3; ++d) {
    AddressMode& mode = texture.modes[d] = how.modes[d];
    require_valid(mode >= AddressMode::wrap && mode <= AddressMode::border,
                  "there is no address mode of this number");
    if (!texture.is_normalized && mode != AddressMode::border) mode = AddressMode::clamp;
    if (how.seamless != 0) mode = AddressMode::clamp;
    if (is_linear) mode = AddressMode::border;
  }
  if (!is_linear) texture.border = std::bit_cast<std::array<std::uint32_t, 4>>(how.border);
}

Status create(Runtime& runtime, TextureHandle* handle, const Texture& texture,
              const TextureObject& object) {
  ptx::Memory& memory = runtime.device.memory();
  *handle = memory.allocate(sizeof texture, "a texture object");
  const Opened opened(runtime.hidden);
  std::memcpy(reinterpret_cast<void*>(*handle), &texture, sizeof texture);
  memory.mark_written(*handle, sizeof texture);
  memory.find(*handle)->constant = true;
  objects_of(texture.use)[*handle] = object;
  return Status::success;
}

Status destroy(TextureHandle handle, Texture::Use use) {
  return call([&](Runtime& runtime) {
    synchronize(runtime);
    if (objects_of(use).erase(handle) == 0) throw Status::invalid_value;
    runtime.device.memory().release(handle);
  });
}

template <class T>
Status tell(T* where, TextureHandle handle, Texture::Use use, T TextureObject::*part) {
  return call([&](Runtime&) {
    const auto found = objects_of(use).find(handle);
    if (found == objects_of(use).end()) throw Status::invalid_value;
    required(where) = found->second.*part;
  });
}

}  // namespace

AGPUSIM_CUDART Status cudaCreateTextureObject(TextureHandle* handle,
                                              const ResourceDescription* resource,
                                              const TextureDescription* how, const void* view) {
  return call([&](Runtime& runtime) {
    required(handle);
    if (view != nullptr) refuse(runtime, "a texture with a resource view");
    Texture texture = texels_of(runtime, required(resource));
    set_sampling(runtime, texture, resource->type == ResourceType::linear, required(how));
    return create(runtime, handle, texture, {*resource, *how});
  });
}

AGPUSIM_CUDART Status cudaCreateSurfaceObject(TextureHandle* handle,
                                              const ResourceDescription* resource) {
  return call([&](Runtime& runtime) {
    required(handle);
    Texture surface = texels_of(runtime, required(resource));
    surface.use = Texture::Use::surface;
    require_valid(resource->type == ResourceType::array &&
                      (object_of(resource->array)->flags & Array::surface) != 0,
                  "a surface needs an array with cudaArraySurfaceLoadStore");
    return create(runtime, handle, surface, {*resource, {}});
  });
}

AGPUSIM_CUDART Status cudaDestroyTextureObject(TextureHandle handle) {
  return destroy(handle, Texture::Use::fetch);
}

AGPUSIM_CUDART Status cudaDestroySurfaceObject(TextureHandle handle) {
  return destroy(handle, Texture::Use::surface);
}

AGPUSIM_CUDART Status cudaGetTextureObjectResourceDesc(ResourceDescription* resource,
                                                       TextureHandle handle) {
  return tell(resource, handle, Texture::Use::fetch, &TextureObject::resource);
}

AGPUSIM_CUDART Status cudaGetTextureObjectTextureDesc(TextureDescription* how,
                                                      TextureHandle handle) {
  return tell(how, handle, Texture::Use::fetch, &TextureObject::how);
}

AGPUSIM_CUDART Status cudaGetSurfaceObjectResourceDesc(ResourceDescription* resource,
                                                       TextureHandle handle) {
  return tell(resource, handle, Texture::Use::surface, &TextureObject::resource);
}

AGPUSIM_ALSO(cudaCreateTextureObject_v2, cudaCreateTextureObject)
AGPUSIM_ALSO(cudaGetTextureObjectTextureDesc_v2, cudaGetTextureObjectTextureDesc)

}  // namespace agpusim::cudart
